# A formula that builds a release from its source. Put it into a tap, and set `url` and `sha256` to those of the release.
class Infralens < Formula
  desc "Terminal tutor for AI infrastructure"
  url "file:///dev/null"
  version "0.1.0"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    generate_completions_from_executable(bin/"infralens", "completions", shells: [:bash, :zsh, :fish])
    system bin/"infralens", "man", "--write", "man"
    man1.install Dir["man/*.1"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/infralens --version")
    assert_match "ddp", shell_output("#{bin}/infralens list lessons")
  end
end
