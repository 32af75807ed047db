fn main() {
    for d in infralens_course::pack::Document::ALL {
        std::fs::write(format!("assets/schema/{}.schema.json", d.name()), d.text()).unwrap();
    }
    std::fs::write("docs/pack-format.md", infralens_course::pack::reference()).unwrap();
    let l = infralens_course::pack::check(&infralens_course::pack::Origin::Folder(std::env::args().nth(1).unwrap().into()));
    for p in l.problems { println!("{p}"); }
}
