"""The paper's experiment (Section 4): on recorded programs with no language model, or fresh with one."""
