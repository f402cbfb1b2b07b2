package dev.kudu4j.tools.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.kudu4j.common.proto.common.MemTrackerPB;
import dev.kudu4j.common.proto.server.DumpMemTrackersRequestPB;
import dev.kudu4j.common.proto.server.DumpMemTrackersResponsePB;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import dev.kudu4j.tools.phrase.Json;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the memory usage of a server. */
@Command(
    name = "dump_memtrackers",
    description = {
      "Shows the memory usage of a server: a tree of trackers, in bytes.",
      "A limit of -1 means no limit."
    },
    footer = {
      "  ${PARENT-COMMAND-FULL-NAME} dump_memtrackers 127.0.0.1",
      "  ${PARENT-COMMAND-FULL-NAME} dump_memtrackers 127.0.0.1 --memtracker_output=json"
    })
public final class MemoryTrackersVerb extends ServerVerb {
  private static final String NO_PARENT = "<none>";
  private static final List<ListColumn> COLUMNS =
      List.of(
          ListColumn.text("id"),
          ListColumn.text("parent_id"),
          ListColumn.number("limit"),
          ListColumn.number("current consumption"),
          ListColumn.number("peak_consumption"));

  /** The output format of the tree. */
  enum Output {
    table,
    json,
    json_compact
  }

  @Option(
      names = "--memtracker_output",
      paramLabel = "OUTPUT",
      defaultValue = "table",
      description =
          "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}, which prints one tracker"
              + " per line.")
  private Output output;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "Format of the table: ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Override
  int act(NamedServer named) {
    MemTrackerPB root =
        named
            .get(
                named.generic(
                    "DumpMemTrackers",
                    DumpMemTrackersRequestPB.getDefaultInstance(),
                    DumpMemTrackersResponsePB.parser()))
            .getRootTracker();
    if (output == Output.table) {
      try (ListPrinter list = format.open(COLUMNS, out())) {
        print(root, list);
      }
    } else {
      Tracker tracker = Tracker.of(root);
      say(output == Output.json ? Json.write(tracker) : Json.writeCompact(tracker));
    }
    return DONE;
  }

  /** Prints a tracker before its children. */
  private static void print(MemTrackerPB tracker, ListPrinter list) {
    list.row(
        List.of(
            tracker.getId(),
            tracker.getParentId().isEmpty() ? NO_PARENT : tracker.getParentId(),
            tracker.getLimit(),
            tracker.getCurrentConsumption(),
            tracker.getPeakConsumption()));
    tracker.getChildTrackersList().forEach(child -> print(child, list));
  }

  /**
   * A tracker as JSON.
   *
   * @param parentId null for the root
   * @param childTrackers null if there are none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Tracker(
      String id,
      String parentId,
      long limit,
      long currentConsumption,
      long peakConsumption,
      List<Tracker> childTrackers) {
    static Tracker of(MemTrackerPB tracker) {
      return new Tracker(
          tracker.getId(),
          tracker.getParentId().isEmpty() ? null : tracker.getParentId(),
          tracker.getLimit(),
          tracker.getCurrentConsumption(),
          tracker.getPeakConsumption(),
          tracker.getChildTrackersCount() == 0
              ? null
              : tracker.getChildTrackersList().stream().map(Tracker::of).toList());
    }
  }
}
