package dev.kudu4j.spark.procedure;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.spark.catalog.LoadedTable;
import dev.kudu4j.spark.client.ClusterErrors;
import dev.kudu4j.spark.type.InternalRows;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.BoundProcedure;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** A procedure whose first parameter is a table. It returns rows that it computes on the driver. */
abstract class TableProcedure implements UnboundProcedure, BoundProcedure {
  private static final int TABLE = 0;

  private final Function<String, LoadedTable> tables;

  TableProcedure(Function<String, LoadedTable> tables) {
    this.tables = tables;
  }

  /** The parameters after the table; none unless overridden. */
  List<ProcedureParameter> furtherParameters() {
    return List.of();
  }

  /** The columns of the result. */
  abstract StructType resultColumns();

  /**
   * Runs the procedure.
   *
   * @param arguments the table and the further arguments
   * @return the rows of the result, in the internal form of Spark
   */
  abstract List<InternalRow> run(LoadedTable table, InternalRow arguments) throws KuduException;

  @Override
  public final BoundProcedure bind(StructType inputType) {
    return this; // Spark checks the arguments against the parameters
  }

  @Override
  public final ProcedureParameter[] parameters() {
    List<ProcedureParameter> parameters = new ArrayList<>();
    parameters.add(
        ProcedureParameter.in("table", DataTypes.StringType)
            .comment("name of the table in the catalog: db.t")
            .build());
    parameters.addAll(furtherParameters());
    return parameters.toArray(new ProcedureParameter[0]);
  }

  @Override
  public final boolean isDeterministic() {
    return false;
  }

  @Override
  public final Iterator<Scan> call(InternalRow arguments) {
    LoadedTable table = tables.apply(text(arguments, TABLE, "table"));
    try {
      List<InternalRow> rows = run(table, arguments);
      return List.<Scan>of(new Result(resultColumns(), rows)).iterator();
    } catch (KuduException e) {
      throw ClusterErrors.of("Procedure " + name() + " of table " + table.name(), e);
    }
  }

  /**
   * A text that must be given.
   *
   * @throws IllegalArgumentException if it is NULL or blank
   */
  final String text(InternalRow arguments, int index, String parameter) {
    String text = arguments.isNullAt(index) ? "" : arguments.getUTF8String(index).toString();
    if (text.isBlank()) {
      throw new IllegalArgumentException(
          "Procedure " + name() + " needs a value of parameter " + parameter);
    }
    return text;
  }

  /** A row of the result. Text is converted. */
  static InternalRow row(Object... cells) {
    Object[] internal = new Object[cells.length];
    for (int i = 0; i < cells.length; i++) {
      internal[i] = cells[i] instanceof String text ? UTF8String.fromString(text) : cells[i];
    }
    return InternalRows.of(internal);
  }

  private record Result(StructType readSchema, List<InternalRow> computed) implements LocalScan {
    @Override
    public InternalRow[] rows() {
      return computed.toArray(new InternalRow[0]);
    }
  }
}
