package dev.kudu4j.tools.table;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.Counter;
import dev.kudu4j.tools.table.csv.BadLines;
import dev.kudu4j.tools.table.csv.CsvImport;
import dev.kudu4j.tools.table.csv.CsvLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes rows from CSV into a table. */
@Command(
    name = "import",
    description = {
      "Writes the rows of a CSV file into a table. The first line contains the"
          + " column names; the table determines the types.",
      "An invalid line is reported with its number and the reason, and skipped; the"
          + " exit code is then 3. Times without an offset are in UTC; 0x starts a binary"
          + " value in hex."
    },
    footer = {
      "  kudu table import flights flights.csv",
      "  kudu table import flights flights.csv.gz --upsert --rejects=bad.csv",
      "  unzip -p flights.csv.zip | kudu table import 127.0.0.1:7051 flights -",
      "  kudu table import people people.tsv --delimiter='\\t' --header=id,name --null=-"
    })
final class ImportVerb extends ClusterVerb {
  private static final int LINES_LEFT_OUT = 3;
  private static final String STANDARD_INPUT = "-";

  @Parameters(
      paramLabel = "[MASTERS] TABLE FILE",
      arity = "2..3",
      hideParamSyntax = true,
      description = {
        Target.HELP,
        "FILE: CSV in UTF-8; a file name ending in .gz is decompressed; - is standard input."
      })
  private List<String> arguments;

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      defaultValue = "NA",
      description =
          "Text that represents null, in addition to an empty cell without quotes;"
              + " default ${DEFAULT-VALUE}.")
  private List<String> nullTexts;

  @Option(names = "--upsert", description = "Overwrites existing rows.")
  private boolean upsert;

  @Option(names = "--insert_ignore", description = "Leaves existing rows unchanged.")
  private boolean insertIgnore;

  @Option(
      names = "--max_errors",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Stops after this number of bad lines; default ${DEFAULT-VALUE}.")
  private long maxErrors;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description = "Writes the bad lines to this file, with the header, to correct them.")
  private Path rejects;

  @Option(
      names = "--header",
      split = ",",
      paramLabel = "NAME[,NAME]",
      description = "The column names, if the first line does not contain them.")
  private List<String> header;

  @Option(
      names = "--ignore_columns",
      split = ",",
      paramLabel = "NAME[,NAME]",
      description = "Names in the header that are not imported.")
  private Set<String> ignored = Set.of();

  @Option(
      names = "--delimiter",
      paramLabel = "CHARACTER",
      defaultValue = ",",
      description = "Delimiter between cells; \\t for a tab; default: a comma.")
  private String delimiter;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE", "FILE");
    String file = target.argument(1);
    CsvImport.Write write = write();
    if (maxErrors < 1) {
      throw KuduException.invalidArgument("--max_errors=%d: must be at least 1", maxErrors);
    }
    try (CsvLines lines = open(file);
        ClusterCalls calls = cluster().connect(target.masters())) {
      calls.table(target.argument(0));
      try (KuduClient client = cluster().client(target.masters());
          BadLines bad =
              new BadLines(
                  file.equals(STANDARD_INPUT) ? "standard input" : file,
                  maxErrors,
                  rejects,
                  err())) {
        return load(client, target.argument(0), lines, bad, write);
      }
    }
  }

  private CsvImport.Write write() {
    if (upsert && insertIgnore) {
      throw KuduException.invalidArgument("Give only one of --upsert and --insert_ignore");
    }
    return upsert
        ? CsvImport.Write.UPSERT
        : insertIgnore ? CsvImport.Write.INSERT_IGNORE : CsvImport.Write.INSERT;
  }

  private CsvLines open(String file) throws IOException {
    String unescaped = delimiter.replace("\\t", "\t");
    if (unescaped.length() != 1 || "\"\r\n".contains(unescaped)) {
      throw KuduException.invalidArgument(
          "--delimiter=%s: must be one character, or \\t", delimiter);
    }
    if (file.equals(STANDARD_INPUT)) {
      return CsvLines.of(System.in, unescaped.charAt(0));
    }
    if (Files.isDirectory(Path.of(file))) {
      throw KuduException.invalidArgument("%s is a directory; give a CSV file", file);
    }
    return CsvLines.open(Path.of(file), unescaped.charAt(0));
  }

  private int load(
      KuduClient client, String table, CsvLines lines, BadLines bad, CsvImport.Write write)
      throws IOException {
    long start = System.nanoTime();
    try (CsvImport load =
        new CsvImport(client, client.openTable(table), write, Set.copyOf(nullTexts), bad)) {
      try (Counter counter = Counter.rowsOf("import", lines.totalBytes())) {
        load.run(lines, header, ignored, counter);
      } catch (KuduException | IOException e) {
        if (load.imported() + bad.count() > 0) {
          say(summary(load.imported(), table, bad.count(), start));
        }
        throw e;
      }
      say(summary(load.imported(), table, bad.count(), start));
    }
    return bad.count() == 0 ? DONE : LINES_LEFT_OUT;
  }

  private static String summary(long rows, String table, long bad, long start) {
    double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
    String done =
        String.format(
            Locale.ROOT,
            "Imported %,d rows into %s in %.1f s (%,.0f rows/s)",
            rows,
            table,
            seconds,
            rows / Math.max(seconds, 0.001));
    return bad == 0 ? done : done + String.format(Locale.ROOT, "; %,d bad lines were skipped", bad);
  }
}
