package dev.kudu4j.spark.procedure;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.client.ClusterErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;

/** A procedure whose first parameter is a table. */
abstract class TableProcedure extends DriverProcedure {
  private static final String TABLE = "table";
  private static final int TABLE_INDEX = 0;

  private final Function<String, LoadedTable> tables;

  TableProcedure(Function<String, LoadedTable> tables) {
    this.tables = tables;
  }

  /** The parameters after the table; none unless overridden. */
  List<ProcedureParameter> furtherParameters() {
    return List.of();
  }

  /**
   * Runs the procedure.
   *
   * @param arguments the table and the further arguments
   * @return the rows of the result, in the internal form of Spark
   */
  abstract List<InternalRow> run(LoadedTable table, InternalRow arguments) throws KuduException;

  @Override
  final List<ProcedureParameter> parameterList() {
    List<ProcedureParameter> parameters = new ArrayList<>();
    parameters.add(
        ProcedureParameter.in(TABLE, DataTypes.StringType)
            .comment("name of the table in the catalog: db.t")
            .build());
    parameters.addAll(furtherParameters());
    return parameters;
  }

  @Override
  final List<InternalRow> run(InternalRow arguments) {
    LoadedTable table = tables.apply(text(arguments, TABLE_INDEX, TABLE));
    try {
      return run(table, arguments);
    } catch (KuduException e) {
      throw ClusterErrors.of("Procedure " + name() + " of table " + table.name(), e);
    }
  }
}
