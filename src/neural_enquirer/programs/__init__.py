"""Programs: a language for what people ask of tables, run exactly, shown as SQL and as a sentence."""
