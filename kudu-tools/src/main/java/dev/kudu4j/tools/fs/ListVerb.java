package dev.kudu4j.tools.fs;

import dev.kudu4j.server.fs.Instance;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import dev.kudu4j.tools.phrase.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the contents of a server's directories. */
@Command(
    name = "list",
    description =
        "Lists the server's identity, its tablets and their files with kind, rows and size.",
    mixinStandardHelpOptions = true)
final class ListVerb implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ServerOrPath directories;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "pretty",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private ListFormat format;

  @Override
  public Integer call() throws IOException {
    List<FileEntry> entries;
    Optional<Instance> instance = directories.instance();
    try (OfflineFiles offline = new OfflineFiles()) {
      Inventory inventory = new Inventory(offline);
      for (Path tablet : directories.tablets()) {
        inventory.addTablet(tablet);
      }
      for (Path log : directories.raftLogs()) {
        inventory.addRaftLog(log);
      }
      entries = inventory.entries();
    }
    print(instance, entries, spec.commandLine().getOut());
    return 0;
  }

  private void print(Optional<Instance> instance, List<FileEntry> entries, PrintWriter out) {
    switch (format) {
      case pretty -> {
        instance.ifPresent(
            server ->
                out.printf(
                    "%s %s, Raft port %d%n", server.daemon(), server.uuid(), server.raftPort()));
        list(entries, out);
        long tablets = entries.stream().filter(e -> e.kind().equals("superblock")).count();
        long bytes = entries.stream().mapToLong(FileEntry::bytes).sum();
        out.printf("%d tablets, %d files, %d bytes%n", tablets, entries.size(), bytes);
      }
      case json -> {
        out.print(
            "{\"server\": "
                + Json.writeCompact(instance.map(Owner::of).orElse(null))
                + ",\n\"files\": ");
        list(entries, out);
        out.println("}");
      }
      default -> list(entries, out);
    }
    out.flush();
  }

  private void list(List<FileEntry> entries, PrintWriter out) {
    try (ListPrinter list = format.open(FileEntry.COLUMNS, out)) {
      entries.forEach(entry -> list.row(entry.cells()));
    }
  }

  /** The server that the files belong to, as JSON. */
  private record Owner(String uuid, String daemon, int raftPort) {
    static Owner of(Instance server) {
      return new Owner(server.uuid(), server.daemon(), server.raftPort());
    }
  }
}
