//! `nyaya run simlaw`.

use std::path::Path;
use std::process::ExitCode;

use clap::ValueEnum;
use nyaya_agents::protocols::{Court, simlaw};

use super::Common;
use super::common::check_run;
use super::table::TableArgs;
use crate::cli::context::Context;

/// Options of `run simlaw`.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Who opens: both holds two debates and flags a label that depends on the order
    #[arg(long, value_enum, default_value_t = OrderArg::Prosecution)]
    order: OrderArg,
    /// Whether the sides argue against each other or work together
    #[arg(long, value_enum, default_value_t = VariantArg::Adversarial)]
    variant: VariantArg,
    /// A control instead of the debate: the judge's label before any argument, turned at random at the three points
    /// where a debate could have turned it
    #[arg(long, value_enum, requires = "flip_rate")]
    control: Option<ControlArg>,
    /// How often the control turns it: a number from 0 to 1, or the folder of a run of debates whose rate is taken
    #[arg(long, value_name = "RATE|RUN", requires = "control")]
    flip_rate: Option<String>,
    /// How more than two classes are decided: each against the rest, or two at a time
    #[arg(long, value_enum, default_value_t = MulticlassArg::Ovr)]
    multiclass: MulticlassArg,
    /// Below this confidence (0 to 1; rhetorical, not a probability) a decision is marked for a person to look at
    #[arg(long, value_name = "C", default_value_t = 0.6)]
    review_below: f64,
    /// Whose words the personas speak: justice, credit, employment, fraud, or a NAME with simlaw/domain-NAME.en.md in
    /// the folder of --prompts (blocks prosecution, defence, judge, question)
    #[arg(long, value_name = "NAME", default_value = "justice")]
    domain: String,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum OrderArg {
    Prosecution,
    Defence,
    Random,
    Both,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum VariantArg {
    Adversarial,
    Cooperative,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ControlArg {
    RandomFlip,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum MulticlassArg {
    Ovr,
    Bracket,
}

/// Runs it.
pub async fn main(context: &Context, args: Args) -> anyhow::Result<ExitCode> {
    let court = Court::Simlaw(simlaw::Options {
        order: match args.order {
            OrderArg::Prosecution => simlaw::Order::Prosecution,
            OrderArg::Defence => simlaw::Order::Defence,
            OrderArg::Random => simlaw::Order::Random,
            OrderArg::Both => simlaw::Order::Both,
        },
        variant: match args.variant {
            VariantArg::Adversarial => simlaw::Variant::Adversarial,
            VariantArg::Cooperative => simlaw::Variant::Cooperative,
        },
        control: args.control.map(|ControlArg::RandomFlip| simlaw::Control::RandomFlip),
        flip_rate: args.flip_rate.as_deref().map(flip_rate).transpose()?,
        multiclass: match args.multiclass {
            MulticlassArg::Ovr => simlaw::Multiclass::Ovr,
            MulticlassArg::Bracket => simlaw::Multiclass::Bracket,
        },
        review_below: args.review_below,
        domain: args.domain.clone(),
    });
    // Before a file is read: what is wrong with the options is the shorter message.
    court.check()?;
    let mut cases = args.common.load(|_| None)?;
    cases.extend(args.table.load(context, &args.common, &args.domain)?);
    super::drive(context, &args.common, court, cases).await
}

/// A rate as a number, or that of a run.
fn flip_rate(text: &str) -> anyhow::Result<f64> {
    if let Ok(rate) = text.parse::<f64>() {
        return Ok(rate);
    }
    check_run("--flip-rate", Path::new(text))?;
    let trials = nyaya_agents::record::trials(Path::new(text))?
        .iter()
        .map(|t| nyaya_agents::record::read_events(&t.events))
        .collect::<Result<Vec<_>, _>>()?;
    let rate = simlaw::flip_rate(&trials).ok_or_else(|| {
        anyhow::anyhow!(
            "--flip-rate {text}: the run holds no debate with two beliefs\nhint: name the folder of a run of `nyaya run simlaw`"
        )
    })?;
    tracing::info!("the judge's label turned at {:.1} % of the points in {text}", rate * 100.0);
    Ok(rate)
}
