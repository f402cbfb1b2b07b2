package dev.kudu4j.spark.procedure;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.spark.client.ClusterErrors;
import dev.kudu4j.spark.type.InternalRows;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.BoundProcedure;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** A procedure that runs on the driver and returns one result, whose rows it computes there. */
abstract class DriverProcedure implements UnboundProcedure, BoundProcedure {
  /** All parameters, in the order of their arguments. */
  abstract List<ProcedureParameter> parameterList();

  /** The columns of the result. */
  abstract StructType resultColumns();

  /**
   * Runs the procedure.
   *
   * @return the rows of the result, in the internal form of Spark
   */
  abstract List<InternalRow> run(InternalRow arguments) throws KuduException;

  @Override
  public final BoundProcedure bind(StructType inputType) {
    return this; // Spark checks the arguments against the parameters
  }

  @Override
  public final ProcedureParameter[] parameters() {
    return parameterList().toArray(new ProcedureParameter[0]);
  }

  @Override
  public final boolean isDeterministic() {
    return false;
  }

  @Override
  public final Iterator<Scan> call(InternalRow arguments) {
    try {
      return List.<Scan>of(new Result(resultColumns(), run(arguments))).iterator();
    } catch (KuduException e) {
      throw ClusterErrors.of("Procedure " + name(), e);
    }
  }

  /**
   * Checks that an argument was given.
   *
   * @throws IllegalArgumentException if it is NULL
   */
  final void requireValue(InternalRow arguments, int index, String parameter) {
    if (arguments.isNullAt(index)) {
      throw noValue(parameter);
    }
  }

  /**
   * A string that must be given.
   *
   * @throws IllegalArgumentException if it is NULL or blank
   */
  final String text(InternalRow arguments, int index, String parameter) {
    String text = arguments.isNullAt(index) ? "" : arguments.getUTF8String(index).toString();
    if (text.isBlank()) {
      throw noValue(parameter);
    }
    return text;
  }

  private IllegalArgumentException noValue(String parameter) {
    return new IllegalArgumentException(
        "Procedure " + name() + " needs a value of parameter " + parameter);
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
