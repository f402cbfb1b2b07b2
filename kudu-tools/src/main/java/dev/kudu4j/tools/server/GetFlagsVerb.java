package dev.kudu4j.tools.server;

import dev.kudu4j.common.proto.server.GetFlagsRequestPB;
import dev.kudu4j.common.proto.server.GetFlagsResponsePB;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists flags of a running server. */
@Command(
    name = "get_flags",
    description =
        "Lists the flags of a running server; without options, those not at their defaults.",
    footer = {
      "  ${PARENT-COMMAND-FULL-NAME} get_flags 127.0.0.1",
      "  ${PARENT-COMMAND-FULL-NAME} get_flags 127.0.0.1 --all_flags --flag_tags=runtime",
      "  ${PARENT-COMMAND-FULL-NAME} get_flags 127.0.0.1 --flags=fs_wal_dir,rpc_bind_addresses"
          + " --format=json"
    })
public final class GetFlagsVerb extends ServerVerb {
  private static final List<ListColumn> COLUMNS =
      ListColumn.texts("flag", "value", "default value?", "tags");

  @Option(names = "--all_flags", description = "Also flags at their defaults.")
  private boolean all;

  @Option(
      names = "--flags",
      paramLabel = "FLAG[,FLAG]",
      split = ",",
      description = "Only these flags, even if they are at their defaults.")
  private List<String> names = List.of();

  @Option(
      names = "--flag_tags",
      paramLabel = "TAG[,TAG]",
      split = ",",
      description = "Only flags with one of these tags, such as stable, advanced or runtime.")
  private List<String> tags = List.of();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Override
  int act(NamedServer named) {
    List<String> wanted =
        withoutBlanks(names).stream().map(name -> name.replace('-', '_')).toList();
    GetFlagsRequestPB request =
        GetFlagsRequestPB.newBuilder()
            .setAllFlags(all)
            .addAllFlags(wanted)
            .addAllTags(withoutBlanks(tags))
            .build();
    List<GetFlagsResponsePB.Flag> found = named.flags(request);
    try (ListPrinter list = format.open(COLUMNS, out())) {
      for (GetFlagsResponsePB.Flag flag : found) {
        list.row(
            List.of(
                flag.getName(),
                flag.getValue(),
                flag.getIsDefaultValue(),
                flag.getTagsList().stream().sorted().collect(Collectors.joining(","))));
      }
    }
    tellMissing(named, wanted, found);
    return DONE;
  }

  private static List<String> withoutBlanks(List<String> texts) {
    return texts.stream().map(String::strip).filter(text -> !text.isEmpty()).toList();
  }

  /**
   * Reports the requested flags that the server does not have. A flag that exists, but was not
   * listed because it lacks the requested tags, is not reported.
   */
  private void tellMissing(
      NamedServer named, List<String> wanted, List<GetFlagsResponsePB.Flag> found) {
    Set<String> listed =
        found.stream().map(GetFlagsResponsePB.Flag::getName).collect(Collectors.toSet());
    if (listed.containsAll(wanted)) {
      return;
    }
    List<String> known = named.flagNames();
    for (String name : wanted) {
      if (!known.contains(name)) {
        err().println(FlagChange.unknown(name, named, known));
      }
    }
    err().flush();
  }
}
