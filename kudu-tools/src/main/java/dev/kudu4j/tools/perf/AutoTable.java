package dev.kudu4j.tools.perf;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.PartialRow;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Option;

/** The table that {@code loadgen} creates if no table is given. */
final class AutoTable {
  private static final String KEY = "key";

  @Option(
      names = "--keep_auto_table",
      description = "Keeps the created table; default: it is dropped after success.")
  boolean keep;

  @Option(
      names = "--auto_database",
      paramLabel = "NAME",
      defaultValue = "default",
      description =
          "Prefix of the name of the created table, followed by a dot; default"
              + " ${DEFAULT-VALUE}.")
  private String database;

  @Option(
      names = "--table_num_hash_partitions",
      paramLabel = "N",
      defaultValue = "8",
      description = "Number of hash partitions of the created table; default ${DEFAULT-VALUE}.")
  private int hashPartitions;

  @Option(
      names = "--table_num_range_partitions",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "Number of range partitions of the created table, which divide the sequence of keys evenly;"
            + " default ${DEFAULT-VALUE}."
      })
  private int rangePartitions;

  @Option(
      names = "--table_num_replicas",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of replicas of the created table; 0 for the default of the cluster. Default"
              + " ${DEFAULT-VALUE}.")
  private int replicas;

  void check() {
    LoadgenOptions.demand(
        hashPartitions > 0,
        "--table_num_hash_partitions",
        hashPartitions,
        "must be at least 1; 1 means no partitioning");
    LoadgenOptions.demand(
        rangePartitions > 0,
        "--table_num_range_partitions",
        rangePartitions,
        "must be at least 1; 1 means no partitioning");
    LoadgenOptions.demand(replicas >= 0, "--table_num_replicas", replicas, "must be odd, or 0");
  }

  /** Creates the table with a unique name. */
  String create(KuduClient client, LoadgenOptions load) throws IOException {
    String unique = "loadgen_auto_" + UUID.randomUUID().toString().replace("-", "");
    String name = database.isEmpty() ? unique : database + "." + unique;
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder(KEY, Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("int_val", Type.INT32).nullable(true).build(),
                new ColumnSchemaBuilder("string_val", Type.STRING).nullable(true).build()));
    client.createTable(name, schema, partitions(schema, load));
    return name;
  }

  private CreateTableOptions partitions(Schema schema, LoadgenOptions load) {
    CreateTableOptions options = new CreateTableOptions().setRangePartitionColumns(List.of(KEY));
    long span = load.span(1) * load.threads / rangePartitions;
    for (int i = 1; i < rangePartitions; i++) {
      PartialRow split = schema.newPartialRow();
      split.addLong(KEY, load.sequenceStart + i * span);
      options.addSplitRow(split);
    }
    if (hashPartitions > 1) {
      options.addHashPartitions(List.of(KEY), hashPartitions);
    }
    if (replicas > 0) {
      options.setNumReplicas(replicas);
    }
    return options;
  }
}
