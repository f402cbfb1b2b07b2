package dev.kudu4j.client.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Merging of ordered sources, against a sorted set of all keys. */
class KeyMergeTest {
  private static final List<DataType> KEYABLE =
      List.of(
          DataType.INT8,
          DataType.INT32,
          DataType.INT64,
          DataType.STRING,
          DataType.BINARY,
          DataType.DATE,
          DataType.DECIMAL128);
  private static final HexFormat HEX = HexFormat.of();

  @Property(tries = 300)
  void rowsOfAllSourcesAreMergedInKeyOrder(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 9) int sources,
      @ForAll @IntRange(min = 0, max = 300) int rows,
      @ForAll boolean columnar) {
    new Case(new Random(seed), sources, columnar).verify(rows);
  }

  private static final class Case {
    private final Random random;
    private final boolean columnar;
    private final Schema schema;
    private final CellLayout layout;
    private final int[] keyColumns;
    private final List<Deque<byte[][]>> sources = new ArrayList<>();

    Case(Random random, int sourceCount, boolean columnar) {
      this.random = random;
      this.columnar = columnar;
      this.keyColumns = new int[1 + random.nextInt(3)];
      List<ColumnSchema> columns = new ArrayList<>();
      for (int i = 0; i < keyColumns.length; i++) {
        if (random.nextBoolean()) { // the key lies between other columns
          columns.add(ColumnSchema.builder("x" + i, DataType.STRING).build());
        }
        keyColumns[i] = columns.size();
        columns.add(key("k" + i, KEYABLE.get(random.nextInt(KEYABLE.size()))));
      }
      this.schema = new Schema(columns);
      this.layout = new CellLayout(schema);
      for (int i = 0; i < sourceCount; i++) {
        sources.add(new ArrayDeque<>());
      }
    }

    private static ColumnSchema key(String name, DataType type) {
      ColumnSchema.Builder column = ColumnSchema.builder(name, type);
      return type == DataType.DECIMAL128 ? column.decimal(38, 0).build() : column.build();
    }

    void verify(int rowCount) {
      TreeSet<byte[][]> all =
          new TreeSet<>(Comparator.comparing(this::key, Arrays::compareUnsigned));
      for (int i = 0; i < rowCount; i++) {
        all.add(randomRow());
      }
      for (byte[][] row : all) {
        sources.get(random.nextInt(sources.size())).add(row);
      }
      assertThat(merged()).isEqualTo(all.stream().map(row -> HEX.formatHex(key(row))).toList());
    }

    private byte[] key(byte[][] row) {
      KeyBuffer key = new KeyBuffer();
      RowBatch alone = batch(List.<byte[][]>of(row));
      for (int i = 0; i < keyColumns.length; i++) {
        alone.appendKeyCell(layout, keyColumns[i], 0, i == keyColumns.length - 1, key);
      }
      return key.toByteArray();
    }

    /** Batches of any size are offered when they are needed; results of any size are taken. */
    private List<String> merged() {
      KeyMerge merge = new KeyMerge(sources.size(), layout, keyColumns);
      for (int i = 0; i < sources.size(); i++) {
        offer(merge, i);
      }
      List<String> keys = new ArrayList<>();
      while (!merge.isEmpty()) {
        int max = 1 + random.nextInt(50);
        KeyMerge.Merged rows = merge.take(max);
        assertThat(rows.count()).isBetween(1, max);
        int[] next = rows.firstRows().clone();
        for (int i = 0; i < rows.count(); i++) {
          int source = rows.sources()[i];
          keys.add(HEX.formatHex(keyAt(rows.batches()[source], next[source]++)));
        }
        if (rows.usedUp() != KeyMerge.NONE) {
          assertThat(next[rows.usedUp()]).isEqualTo(rows.batches()[rows.usedUp()].count());
          offer(merge, rows.usedUp());
        }
      }
      return keys;
    }

    private byte[] keyAt(RowBatch rows, int row) {
      KeyBuffer key = new KeyBuffer();
      for (int i = 0; i < keyColumns.length; i++) {
        rows.appendKeyCell(layout, keyColumns[i], row, i == keyColumns.length - 1, key);
      }
      return key.toByteArray();
    }

    private void offer(KeyMerge merge, int source) {
      Deque<byte[][]> left = sources.get(source);
      List<byte[][]> rows = new ArrayList<>();
      for (int i = 1 + random.nextInt(20); i > 0 && !left.isEmpty(); i--) {
        rows.add(left.poll());
      }
      if (!rows.isEmpty()) {
        merge.offer(source, batch(rows));
      }
    }

    private byte[][] randomRow() {
      byte[][] row = new byte[schema.columnCount()][];
      for (int i = 0; i < row.length; i++) {
        DataType type = layout.type(i);
        row[i] = new byte[type.isVariableLength() ? random.nextInt(5) : type.width()];
        for (int b = 0; b < row[i].length; b++) { // few values, so that prefixes are equal
          row[i][b] = (byte) (random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(2));
        }
      }
      return row;
    }

    private RowBatch batch(List<byte[][]> rows) {
      return columnar ? columns(rows) : rows(rows);
    }

    private RowBatch rows(List<byte[][]> rows) {
      byte[] cells = new byte[rows.size() * layout.rowBytes()];
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      for (int row = 0; row < rows.size(); row++) {
        for (int i = 0; i < layout.columnCount(); i++) {
          byte[] cell = rows.get(row)[i];
          int at = row * layout.rowBytes() + layout.offset(i);
          if (layout.type(i).isVariableLength()) {
            LittleEndian.putLong(cells, at, text.size());
            LittleEndian.putLong(cells, at + 8, cell.length);
            text.writeBytes(cell);
          } else {
            System.arraycopy(cell, 0, cells, at, cell.length);
          }
        }
      }
      return new RowwiseRows(rows.size(), cells, text.toByteArray());
    }

    private RowBatch columns(List<byte[][]> rows) {
      int count = layout.columnCount();
      byte[][] data = new byte[count][];
      byte[][] texts = new byte[count][];
      for (int i = 0; i < count; i++) {
        boolean variable = layout.type(i).isVariableLength();
        int width = variable ? Integer.BYTES : layout.type(i).width();
        data[i] = new byte[width * (rows.size() + (variable ? 1 : 0))];
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int row = 0; row < rows.size(); row++) {
          byte[] cell = rows.get(row)[i];
          if (variable) {
            text.writeBytes(cell);
            LittleEndian.putInt(data[i], (row + 1) * Integer.BYTES, text.size());
          } else {
            System.arraycopy(cell, 0, data[i], row * width, width);
          }
        }
        texts[i] = text.toByteArray();
      }
      return new ColumnarRows(rows.size(), data, texts, new byte[count][]);
    }
  }
}
