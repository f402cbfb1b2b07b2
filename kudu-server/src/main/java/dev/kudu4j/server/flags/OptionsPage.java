package dev.kudu4j.server.flags;

import java.util.Comparator;
import java.util.stream.Collectors;

/** docs/options.md, written from the options themselves. */
public final class OptionsPage {
  private OptionsPage() {}

  /** The page for these programs' options. */
  public static String markdown(OptionSet... programs) {
    StringBuilder page = new StringBuilder();
    page.append("# Options\n\n")
        .append("Generated from the options themselves; a test keeps it current. ")
        .append("Names are Apache Kudu's where it has the option.\n\n")
        .append("Written as `--name=value`, `-name=value` or `--name value`; a boolean also as ")
        .append("`--name` and `--noname`. `-` and `_` are the same in names; the last of two ")
        .append("counts. `--flagfile=FILE` reads more, one a line. A flag that only Apache Kudu ")
        .append("has is ignored with a warning; any other unknown one is an error.\n");
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
