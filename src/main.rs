//! `nyaya`: statutes one can cite, courts that must cite them, and an audit of what they relied on.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
