package dev.kudu4j.server.flags;

import java.util.Comparator;
import java.util.stream.Collectors;

/** Generates docs/options.md from the options. */
public final class OptionsPage {
  private OptionsPage() {}

  /** The page that lists the options of these programs. */
  public static String markdown(OptionSet... programs) {
    StringBuilder page = new StringBuilder();
    page.append("# Options\n\n")
        .append("Generated from the source code; a test checks that this page is current. ")
        .append("An option that Apache Kudu also has carries the same name.\n\n")
        .append(
            "Write an option as `--name=value`, `-name=value` or `--name value`, a boolean also as"
                + " ")
        .append(
            "`--name` or `--noname`. `-` and `_` in names are equivalent; if an option is repeated,"
                + " the last ")
        .append(
            "value counts. `--flagfile=FILE` reads options from a file, one per line. A flag that"
                + " only Apache Kudu ")
        .append("has is ignored with a warning; any other unknown flag is an error.\n");
    for (OptionSet program : programs) {
      section(page, program);
    }
    return page.toString();
  }

  private static void section(StringBuilder page, OptionSet options) {
    page.append("\n## ").append(options.program()).append("\n\n");
    page.append("| option | type | default | bounds | tags | meaning |\n");
    page.append("|---|---|---|---|---|---|\n");
    for (Option<?> option : options.all()) {
      String tags =
          option.tags().stream()
              .sorted(Comparator.naturalOrder())
              .map(Tag::display)
              .collect(Collectors.joining(", "));
      page.append("| `").append(option.name()).append("` | ");
      page.append(option.type().display());
      page.append(option.unit().isEmpty() ? "" : ", " + option.unit()).append(" | ");
      page.append(option.defaultValue().equals("") ? "" : "`" + option.defaultValue() + "`");
      page.append(" | ").append(option.bounds()).append(" | ").append(tags).append(" | ");
      page.append(option.description()).append(" |\n");
    }
  }
}
