package dev.kudu4j.tools.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.kudu4j.common.proto.common.MemTrackerPB;
import dev.kudu4j.common.proto.server.DumpMemTrackersRequestPB;
import dev.kudu4j.common.proto.server.DumpMemTrackersResponsePB;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
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
      say(json(root));
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

  private String json(MemTrackerPB root) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      if (output == Output.json) {
        json.setPrettyPrinter(new DefaultPrettyPrinter());
      }
      write(root, json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(MemTrackerPB tracker, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", tracker.getId());
    if (!tracker.getParentId().isEmpty()) {
      json.writeStringField("parent_id", tracker.getParentId());
    }
    json.writeNumberField("limit", tracker.getLimit());
    json.writeNumberField("current_consumption", tracker.getCurrentConsumption());
    json.writeNumberField("peak_consumption", tracker.getPeakConsumption());
    if (tracker.getChildTrackersCount() > 0) {
      json.writeArrayFieldStart("child_trackers");
      for (MemTrackerPB child : tracker.getChildTrackersList()) {
        write(child, json);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }
}
