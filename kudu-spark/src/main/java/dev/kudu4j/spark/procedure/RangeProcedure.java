package dev.kudu4j.spark.procedure;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.catalog.TableAlteration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Changes the ranges of a table. Returns the ranges that the table has then. */
abstract class RangeProcedure extends TableProcedure {
  private static final String RANGE = "range";
  private static final int RANGE_INDEX = 1;

  private final String property;

  /**
   * @param property the property of ALTER TABLE that has the same effect
   */
  RangeProcedure(Function<String, LoadedTable> tables, String property) {
    super(tables);
    this.property = property;
  }

  @Override
  final List<ProcedureParameter> furtherParameters() {
    return List.of(
        ProcedureParameter.in(RANGE, DataTypes.StringType)
            .comment("the range: 10 <= VALUES < 20; several are separated by semicolons")
            .build());
  }

  @Override
  final StructType resultColumns() {
    return new StructType().add(RANGE, DataTypes.StringType, false);
  }

  @Override
  final List<InternalRow> run(LoadedTable table, InternalRow arguments) throws KuduException {
    KuduClient client = table.connection().client();
    String name = table.kuduTable().getName();
    TableChange change = TableChange.setProperty(property, text(arguments, RANGE_INDEX, RANGE));
    Optional<AlterTableOptions> alteration = TableAlteration.of(table.kuduTable(), change);
    if (alteration.isPresent()) {
      client.alterTable(name, alteration.get());
    }
    return client
        .openTable(name)
        .getFormattedRangePartitions(client.getDefaultAdminOperationTimeoutMs())
        .stream()
        .map(DriverProcedure::row)
        .toList();
  }
}
