package dev.kudu4j.server.flags;

import static j2html.TagCreator.code;
import static j2html.TagCreator.h2;
import static j2html.TagCreator.p;
import static j2html.TagCreator.text;

import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.DataTable;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The options of a running server: first those that differ from their defaults, then those at their
 * defaults.
 */
public final class FlagsPage {
  private FlagsPage() {}

  public static WebPage of(Flags flags) {
    return WebPage.of("/varz", "Flags", query -> view(flags));
  }

  static View view(Flags flags) {
    Map<Boolean, List<Option<?>>> byDefault =
        flags.options().all().stream()
            .sorted(Comparator.comparing(Option::name))
            .collect(Collectors.partitioningBy(flags::isDefault));
    return View.of(
        "Flags",
        p(
            "Flags with the tag runtime can be changed while the server runs, with the verb"
                + " set_flag of the command kudu. Other flags can be changed on the command line,"
                + " at the next start."),
        h2("Set for this server"),
        table(flags, "Flags that are set").rows(byDefault.getOrDefault(false, List.of())),
        h2("At their defaults"),
        table(flags, "Flags at their defaults").rows(byDefault.getOrDefault(true, List.of())));
  }

  private static DataTable<Option<?>> table(Flags flags, String caption) {
    return DataTable.<Option<?>>of(caption)
        .dense()
        .id("Flag", option -> text("--" + option.name()))
        .wide("Value", option -> code(flags.text(option)))
        .text("Unit", Option::unit)
        .prose("Meaning", Option::description)
        .prose("Tags", FlagsPage::tags);
  }

  private static String tags(Option<?> option) {
    return option.tags().stream().map(Tag::display).sorted().collect(Collectors.joining(", "));
  }
}
