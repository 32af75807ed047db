{
  description = "InfraLens: a terminal tutor for AI infrastructure";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
      version = (nixpkgs.lib.importTOML ./Cargo.toml).workspace.package.version;
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "infralens";
          inherit version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          buildType = "dist";
          # the tests want a pseudo-terminal, python3 and time; they run in the checks of the repository
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            $out/bin/infralens man --write man
            installManPage man/*.1
            installShellCompletion --cmd infralens \
              --bash <($out/bin/infralens completions bash) \
              --zsh <($out/bin/infralens completions zsh) \
              --fish <($out/bin/infralens completions fish)
          '';
          meta = {
            description = "A terminal tutor for AI infrastructure";
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "infralens";
          };
        };
      });

      devShells = each (pkgs: {
        default = pkgs.mkShell { packages = with pkgs; [ cargo rustc clippy rustfmt python3 ]; };
      });
    };
}
