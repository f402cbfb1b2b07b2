package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A thousand rows of 16 columns, half of them numbers and half text of 10 bytes, in the format of a
 * write request, and in that of the JDK's data streams.
 */
final class SixteenColumns {
  static final int ROWS = 1_000;
  private static final int COLUMNS = 16;
  private static final int NUMBERS = 8;

  private final RowLayout layout = RowLayout.of(schema());
  private final String[] texts = new String[ROWS];

  SixteenColumns() {
    for (int row = 0; row < ROWS; row++) {
      texts[row] = String.format("text %05d", row);
    }
  }

  private static Schema schema() {
    List<ColumnSchema> columns = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i++) {
      DataType type = i < NUMBERS ? DataType.INT64 : DataType.STRING;
      columns.add(ColumnSchema.builder("c" + i, type).id(i).key(i == 0).build());
    }
    return new Schema(columns);
  }

  RowOperationsWriter newWriter() {
    return new RowOperationsWriter(layout);
  }

  void write(RowOperationsWriter writer) {
    for (int row = 0; row < ROWS; row++) {
      writer.begin(OperationType.INSERT);
      for (int column = 0; column < NUMBERS; column++) {
        writer.setLong(column, (long) row * column);
      }
      for (int column = NUMBERS; column < COLUMNS; column++) {
        writer.setString(column, texts[row]);
      }
      writer.end();
    }
  }

  /**
   * Reads each cell, as code that stores the rows would; returns the sum of the lengths of the
   * cells.
   */
  static long read(RowOperationsReader rows) {
    long bytes = 0;
    while (rows.next()) {
      for (int column = 0; column < COLUMNS; column++) {
        bytes += rows.hasCell(column) ? rows.cellLength(column) : 0;
        bytes += rows.cellArray(column)[rows.cellOffset(column)];
      }
    }
    return bytes;
  }

  void write(DataOutputStream out) throws IOException {
    for (int row = 0; row < ROWS; row++) {
      out.writeByte(1);
      for (int column = 0; column < NUMBERS; column++) {
        out.writeLong((long) row * column);
      }
      for (int column = NUMBERS; column < COLUMNS; column++) {
        out.writeUTF(texts[row]);
      }
    }
  }

  static long read(DataInputStream in) throws IOException {
    long sum = 0;
    for (int row = 0; row < ROWS; row++) {
      sum += in.readByte();
      for (int column = 0; column < NUMBERS; column++) {
        sum += in.readLong();
      }
      for (int column = NUMBERS; column < COLUMNS; column++) {
        sum += in.readUTF().length();
      }
    }
    return sum;
  }
}
