"""Settings: TOML in, one clear sentence for each mistake."""

import pytest

from tarot_env.errors import TarotError
from training.selfplay.config import TrainConfig, load_config


@pytest.fixture
def toml(tmp_path):
    def write(text):
        path = tmp_path / "study.toml"
        path.write_text(text)
        return path

    return write


def test_file_and_overrides_meet_the_defaults(toml):
    config = load_config(
        toml("decisions = 5_000\nhidden = [32]\n[ppo]\nlearning_rate = 1e-3\n"),
        [
            "--ppo.epochs",
            "3",
            "--eval.opponents",
            "random",
            "heuristic",
            "--collect.past-share=0.5",
        ],
    )
    assert (config.name, config.decisions, config.hidden) == ("study", 5000, (32,))
    assert (config.ppo.learning_rate, config.ppo.epochs) == (1e-3, 3)
    assert config.collect.past_share == 0.5
    assert config.eval.opponents == ("random", "heuristic")
    assert config.ppo.clip == TrainConfig(name="x").ppo.clip


def test_later_overrides_win(toml):
    assert load_config(toml("seed = 1"), ["--seed", "2", "--seed", "3"]).seed == 3


@pytest.mark.parametrize(
    ("text", "overrides", "words"),
    [
        ("learning_rate = 1", [], ["study.toml", "'learning_rate'", "'ppo.learning_rate'"]),
        ("[ppo]\nlearning_rte = 1", [], ["ppo.learning_rte", "did you mean 'ppo.learning_rate'"]),
        ("ppo = 3", [], ["unknown key", "'ppo'"]),
        ("[ppo]\nepochs = 'many'", [], ["study.toml", "ppo.epochs must be a whole number", "many"]),
        ("[ppo]\nepochs = 1.5", [], ["ppo.epochs must be a whole number", "1.5"]),
        ("name = ", [], ["no TOML"]),
        ("", ["--ppo.epoch", "3"], ["'--ppo.epoch'", "did you mean '--ppo.epochs'"]),
        ("", ["--ppo.epochs"], ["--ppo.epochs must be a whole number"]),
        ("", ["epochs"], ["write --key value"]),
        ("", ["--ppo.epochs", "0"], ["ppo.epochs must be 1 or more"]),
        ("", ["--decisions", "0"], ["decisions must be 1 or more"]),
        ("", ["--collect.past_share", "nan"], ["collect.past_share must be between 0 and 1"]),
        ("", ["--ppo.clip", "inf"], ["ppo.clip must be above 0"]),
        ("", ["--ppo.gamma", "1.1"], ["ppo.gamma must be between 0 and 1"]),
        ("", ["--eval.deals", "0"], ["eval.deals must be 1 or more"]),
        ("", ["--final.deals", "-5"], ["final.deals must be 0 or more"]),
        ("", ["--ppo.entropy", "nan"], ["ppo.entropy must be 0 or more"]),
        ("", ["--hidden", "64", "0"], ["hidden must be 1 or more"]),
        ("", ["--network", "suit"], ["--network must be suits or plain; got 'suit'"]),
        ("", ["--hidden", "65537"], ["hidden must be 65536 or less"]),
        ("", ["--threads", "1025"], ["threads must be 1024 or less"]),
        ("", ["--decisions", "9" * 400], ["decisions must be 1000000000000000 or less"]),
        ("", ["--collect.tables", "1000000", "--collect.steps", "101"], ["tables times"]),
        ("a = " + "[" * 5000, [], ["nested too deeply"]),
        ("a" + ".a" * 5000 + " = 1", [], ["nested too deeply"]),
        ("seed = " + "9" * 5000, [], ["no TOML"]),
        ("", ["--name", "a\0b"], ["name must be"]),
        ("", ["--runs", "a\0b"], ["runs must be"]),
        ("", ["--name", "a,b"], ["without a comma"]),
        ("", ["--name", "a/b"], ["name must be the name of a folder"]),
        ("", ["--collect.deal_seed", "1000000"], ["training seed", "0 to 999999"]),
        ("", ["--eval.seed", "3000000"], ["selection seed", "1000000 to 1999999"]),
        ("", ["--final.deals", "1", "--final.seed", "7"], ["evaluation seed", "3000000"]),
        ("", ["--eval.select_by", "nobody"], ["eval.select_by", "random, heuristic"]),
        ("", ["--eval.opponents", "foo"], ["unknown agent 'foo'; allowed: random, "]),
    ],
)
def test_mistakes_are_named(toml, text, overrides, words):
    with pytest.raises(TarotError) as caught:
        load_config(toml(text), overrides)
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message


def test_missing_file(tmp_path):
    with pytest.raises(TarotError, match="cannot be read"):
        load_config(tmp_path / "none.toml")


def test_rules_come_from_the_game_section(toml):
    config = load_config(toml("[game]\noptions = ['poignee_bonus=20,40,60', 'with_petite=false']"))
    assert config.rules.poignee_bonus == (20, 40, 60)
    assert not config.rules.with_petite
