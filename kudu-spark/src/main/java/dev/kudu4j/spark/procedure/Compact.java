package dev.kudu4j.spark.procedure;

import dev.kudu4j.client.KuduCompaction;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.ReplicaCompaction;
import dev.kudu4j.spark.catalog.LoadedTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code compact(table, tablets)}: flushes and compacts all replicas of a table, or of some of its
 * tablets, and waits until there is nothing more to gain. One row for each replica. The log of the
 * driver shows the progress.
 */
final class Compact extends TableProcedure {
  private static final Logger LOG = LoggerFactory.getLogger(Compact.class);
  private static final String TABLETS = "tablets";
  private static final int TABLETS_INDEX = 1;
  private static final long LONGEST_PAUSE_MILLIS = 3_000;

  Compact(Function<String, LoadedTable> tables) {
    super(tables);
  }

  @Override
  public String name() {
    return "compact";
  }

  @Override
  public String description() {
    return "Flushes and compacts the replicas of a table now, until there is nothing to gain";
  }

  @Override
  List<ProcedureParameter> furtherParameters() {
    return List.of(
        ProcedureParameter.in(TABLETS, DataTypes.createArrayType(DataTypes.StringType))
            .defaultValue("CAST(NULL AS ARRAY<STRING>)")
            .comment("ids of tablets; all by default")
            .build());
  }

  @Override
  StructType resultColumns() {
    return new StructType()
        .add("tablet", DataTypes.StringType, false)
        .add("server", DataTypes.StringType, false)
        .add("rowsets_before", DataTypes.LongType, false)
        .add("rowsets", DataTypes.LongType, false)
        .add("delta_files_before", DataTypes.LongType, false)
        .add("delta_files", DataTypes.LongType, false)
        .add("disk_bytes_before", DataTypes.LongType, false)
        .add("disk_bytes", DataTypes.LongType, false)
        .add("millis", DataTypes.LongType, false)
        .add("failure", DataTypes.StringType);
  }

  @Override
  List<InternalRow> run(LoadedTable table, InternalRow arguments) throws KuduException {
    KuduCompaction compaction = requested(table, arguments);
    PollPause pause = new PollPause("the compaction of " + table.name(), LONGEST_PAUSE_MILLIS);
    long ended = -1;
    while (!compaction.poll()) {
      long now = compaction.replicas().stream().filter(ReplicaCompaction::ended).count();
      if (now != ended) {
        LOG.info("Compacting {}: {} of {} replicas", table, now, compaction.replicas().size());
        ended = now;
      }
      pause.await();
    }
    List<InternalRow> result = new ArrayList<>();
    compaction.replicas().forEach(replica -> result.add(row(replica)));
    return result;
  }

  private static KuduCompaction requested(LoadedTable table, InternalRow arguments)
      throws KuduException {
    if (arguments.isNullAt(TABLETS_INDEX)) {
      return table.kuduTable().compact();
    }
    Set<String> wanted = new LinkedHashSet<>();
    for (Object id : arguments.getArray(TABLETS_INDEX).toObjectArray(DataTypes.StringType)) {
      wanted.add(String.valueOf(id));
    }
    KuduCompaction compaction = table.kuduTable().compact(wanted::contains);
    compaction.replicas().forEach(replica -> wanted.remove(replica.tabletId()));
    if (!wanted.isEmpty()) {
      throw new IllegalArgumentException(
          "Table "
              + table.name()
              + " has no tablets "
              + wanted
              + "; CALL system.partitions lists its tablets");
    }
    return compaction;
  }

  private static InternalRow row(ReplicaCompaction replica) {
    return row(
        replica.tabletId(),
        replica.server(),
        replica.before().rowSets(),
        replica.now().rowSets(),
        replica.before().deltaFiles(),
        replica.now().deltaFiles(),
        replica.before().diskBytes(),
        replica.now().diskBytes(),
        replica.millis(),
        replica.failure().orElse(null));
  }
}
