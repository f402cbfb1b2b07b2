package dev.kudu4j.tools.table;

import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.phrase.ColumnPhrase;
import dev.kudu4j.tools.phrase.RangePhrase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates a table. */
@Command(
    name = "create",
    description = {
      "Creates a table from flags, or from JSON in the format of Apache Kudu's tool.",
      "A table without --hash and ranges has one tablet."
    },
    footer = {
      "  kudu table create people --columns=\"id int64 key, name string nullable\" --hash=id:4",
      "  kudu table create flights --columns=\"ts timestamp key, carrier string key, delay double"
          + " nullable\" \\",
      "      --hash=carrier:2 --range_columns=ts --range=\"2013-01-01 <= VALUES < 2013-02-01\" \\",
      "      --range=\"2013-02-01 <= VALUES < 2013-03-01\" --replicas=3",
      "  kudu table create 127.0.0.1:7051 flights.json",
      " kudu table describe --format=json people > people.json    (prints JSON for create)"
    })
final class CreateVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE|JSON|FILE",
      arity = "1..2",
      hideParamSyntax = true,
      description = {
        Target.HELP,
        "TABLE: the name of the new table, with the flags below; or JSON that starts"
            + " with '{', or a FILE with JSON whose name ends in .json, or - for standard"
            + " input."
      })
  private List<String> arguments;

  @Option(
      names = "--columns",
      paramLabel = "COLUMNS",
      description = {
        "Columns with commas between; may be repeated. Each is",
        ColumnPhrase.FORM + ".",
        "Types: int8 int16 int32 int64 bool float double decimal(P,S) string varchar(N) binary date"
            + " timestamp. Also: PRIMARY KEY (A, B)."
      })
  private List<String> columns;

  @Option(
      names = "--hash",
      paramLabel = "COLUMN[,COLUMN]:BUCKETS",
      description = "Hash partitioning; repeated for several dimensions.")
  private List<String> hashes = List.of();

  @Option(
      names = "--range_columns",
      paramLabel = "COLUMN[,COLUMN]",
      description = "Range columns; may be omitted if the key has one column.")
  private String rangeColumns;

  @Option(
      names = "--range",
      paramLabel = "RANGE",
      description = "A range partition; may be repeated: " + RangePhrase.FORM + ".")
  private List<String> ranges = List.of();

  @Option(
      names = "--split",
      paramLabel = "VALUE",
      description = "Splits the ranges, or the whole key space, at VALUE or (VALUE, VALUE).")
  private List<String> splits = List.of();

  @Option(
      names = {"--replicas", "--num_replicas"},
      paramLabel = "N",
      description =
          "Replication factor, an odd number; default: the master's" + " --default_num_replicas.")
  private int replicas;

  @Option(
      names = "--owner",
      paramLabel = "USER",
      description = "Owner of the table; default: the user who creates it.")
  private String owner;

  @Option(names = "--comment", paramLabel = "TEXT", description = "Comment of the table.")
  private String comment;

  @Option(
      names = "--extra_config",
      paramLabel = "KEY=VALUE",
      description = "Property such as kudu.table.history_max_age_sec=3600; may be repeated.")
  private Map<String, String> extraConfigs = new LinkedHashMap<>();

  @Option(
      names = "--if_not_exists",
      description =
          "If a table with this name exists, it is left unchanged, and the verb" + " succeeds.")
  private boolean ifNotExists;

  @Override
  public Integer call() throws IOException {
    Target target = Target.of(arguments, "TABLE|JSON|FILE");
    TableDefinition definition = definition(target.argument(0));
    Schema schema = definition.schema();
    var options = definition.options(schema);
    try (ClusterCalls calls = cluster().connect(target.masters());
        KuduClient client = cluster().client(target.masters())) {
      if (ifNotExists && client.tableExists(definition.name())) {
        say("Table " + definition.name() + " already exists");
        return DONE;
      }
      client.createTable(definition.name(), schema, options);
      say(created(definition.name(), calls));
    }
    return DONE;
  }

  private static String created(String name, ClusterCalls calls) {
    TableInfo table = TableInfo.of(name, calls);
    return "Created table %s (%d columns, %d tablets, %d replicas of each)"
        .formatted(
            name,
            table.schema().columns().size(),
            table.partitions().size(),
            table.replicationFactor());
  }

  private TableDefinition definition(String argument) throws IOException {
    if (argument.stripLeading().startsWith("{")) {
      return json("the JSON", argument);
    }
    if (argument.equals("-")) {
      return json("standard input", new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
    }
    if (argument.endsWith(".json") && columns == null) {
      return json(argument, Files.readString(Path.of(argument)));
    }
    return fromFlags(argument);
  }

  private TableDefinition json(String what, String text) {
    boolean flags = columns != null || !hashes.isEmpty() || !ranges.isEmpty() || !splits.isEmpty();
    if (flags) {
      throw KuduException.invalidArgument(
          "Give columns and partitions either as flags or as JSON, not both");
    }
    TableDefinition definition = DefinitionReader.parse(what, text);
    applyAttributes(definition);
    return definition;
  }

  private TableDefinition fromFlags(String name) {
    if (columns == null) {
      throw KuduException.invalidArgument(
          "Table %s needs --columns, such as --columns=\"id int64 key, name string nullable\"",
          name);
    }
    TableDefinition definition = new TableDefinition(name);
    for (String text : columns) {
      ColumnPhrase.Columns parsed = ColumnPhrase.parse("--columns", text);
      parsed.columns().forEach(definition::column);
      parsed.keys().forEach(definition::key);
    }
    hashes.forEach(hash -> definition.hash(hash(hash)));
    if (rangeColumns != null) {
      definition.rangeColumns(names(rangeColumns));
    }
    for (String range : ranges) {
      definition.range(new TableDefinition.Range(RangePhrase.parse("--range", range), List.of()));
    }
    splits.forEach(split -> definition.split(RangePhrase.values("--split", split)));
    applyAttributes(definition);
    return definition;
  }

  private void applyAttributes(TableDefinition definition) {
    if (replicas != 0) {
      definition.replicas(replicas);
    }
    if (owner != null) {
      definition.owner(owner);
    }
    if (comment != null) {
      definition.comment(comment);
    }
    extraConfigs.forEach(definition::extraConfig);
  }

  private static List<String> names(String text) {
    return List.of(text.strip().split("\\s*,\\s*"));
  }

  private static TableDefinition.Hash hash(String text) {
    int colon = text.lastIndexOf(':');
    String buckets = colon < 0 ? "" : text.substring(colon + 1).strip();
    if (colon < 1 || !buckets.matches("\\d{1,6}")) {
      throw KuduException.invalidArgument(
          "--hash=%s: must be columns and a number of buckets, such as id:4 or a,b:8", text);
    }
    return new TableDefinition.Hash(names(text.substring(0, colon)), Integer.parseInt(buckets), 0);
  }
}
