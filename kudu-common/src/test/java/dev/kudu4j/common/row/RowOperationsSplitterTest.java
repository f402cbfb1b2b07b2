package dev.kudu4j.common.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.row.RowOperationsSplitter.Piece;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RowOperationsSplitterTest {
  private static final RowLayout LAYOUT =
      new RowLayout(List.of(DataType.INT32, DataType.STRING), new boolean[] {false, false});

  /** Type, bitmap, key, slice. */
  private static final int ROW_BYTES = 1 + 1 + 4 + 16;

  private static RowOperationsWriter rows(int count) {
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    for (int key = 0; key < count; key++) {
      writer.begin(OperationType.INSERT).setInt(0, key).setString(1, "").end();
    }
    return writer;
  }

  private static RowOperations operations(RowOperationsWriter writer, byte[] indirect) {
    return RowOperations.of(LAYOUT, writer.rows(), indirect);
  }

  /** All rows refer to all of the indirect data. */
  private static RowOperations sharing(int count, byte[] indirect) {
    RowOperationsWriter writer = rows(count);
    for (int row = 0; row < count; row++) {
      LittleEndian.putLong(writer.rowsArray(), (row + 1) * ROW_BYTES - 8, indirect.length);
    }
    return operations(writer, indirect);
  }

  private static List<String> cells(RowOperations operations) {
    RowOperationsReader reader = operations.reader();
    List<String> cells = new ArrayList<>();
    while (reader.next()) {
      cells.add(
          LittleEndian.getInt(reader.cellArray(0), reader.cellOffset(0))
              + "="
              + new String(reader.cell(1), java.nio.charset.StandardCharsets.UTF_8));
    }
    return cells;
  }

  @Test
  void rowsThatShareBytesAreSplitByTheirDecodedSize() {
    byte[] text = "x".repeat(1000).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    List<Piece> pieces = RowOperationsSplitter.split(sharing(100, text), 10_000);
    assertThat(pieces).hasSize(12); // nine rows of 1022 bytes in each
    List<String> cells = new ArrayList<>();
    for (Piece piece : pieces) {
      cells.addAll(cells(piece.rows()));
      assertThat(piece.rows().rowsLength() + piece.textBytes()).isLessThanOrEqualTo(10_000);
    }
    assertThat(cells).isEqualTo(cells(sharing(100, text)));
  }

  @Test
  void aRowWithTooLargeSharedCellsIsRejected() {
    assertThatThrownBy(() -> RowOperationsSplitter.split(sharing(1, new byte[1000]), 1000))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("Row 0 of the request takes 1022 bytes");
  }

  /**
   * The split points are part of the protocol between servers: they must not change for honest
   * clients.
   */
  @Property(tries = 200)
  void rowsWithoutSharedCellsAreSplitByTheirPackedSize(
      @ForAll @IntRange(max = 1_000_000) int seed,
      @ForAll @IntRange(min = 200, max = 900) int maxBytes) {
    Random random = new Random(seed);
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    List<Integer> expected = new ArrayList<>();
    int inPiece = 0;
    int bytes = 0;
    for (int key = 0; key < 60; key++) {
      String text = "t".repeat(random.nextInt(150));
      writer.begin(OperationType.UPSERT).setInt(0, key).setString(1, text).end();
      int rowBytes = ROW_BYTES + text.length();
      if (bytes + rowBytes > maxBytes && inPiece > 0) {
        expected.add(inPiece);
        inPiece = 0;
        bytes = 0;
      }
      inPiece++;
      bytes += rowBytes;
    }
    expected.add(inPiece);
    List<Piece> pieces = RowOperationsSplitter.split(writer.packed(), maxBytes);
    assertThat(pieces).extracting(Piece::rowCount).isEqualTo(expected);
    List<String> cells = new ArrayList<>();
    pieces.forEach(piece -> cells.addAll(cells(piece.rows())));
    assertThat(cells).isEqualTo(cells(writer.packed()));
  }

  /**
   * Empty cells keep their offsets into the indirect bytes of the whole request, although a piece
   * contains no indirect bytes for them.
   */
  @Test
  void aPieceWithEmptyCellsAfterOthersCanBeRead() {
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    for (int key = 0; key < 60; key++) {
      writer.begin(OperationType.INSERT).setInt(0, key).setString(1, key < 20 ? "text" : "").end();
    }
    List<String> cells = new ArrayList<>();
    for (Piece piece : RowOperationsSplitter.split(writer.packed(), 10 * ROW_BYTES)) {
      cells.addAll(cells(piece.rows()));
    }
    assertThat(cells).isEqualTo(cells(writer.packed()));
  }

  @Test
  void anEmptyCellMayHaveAnOffsetBeyondThePiece() {
    RowOperationsWriter writer = rows(60);
    LittleEndian.putLong(writer.rowsArray(), ROW_BYTES - 16, 4117);
    List<String> cells = new ArrayList<>();
    for (Piece piece :
        RowOperationsSplitter.split(operations(writer, new byte[5000]), 10 * ROW_BYTES)) {
      cells.addAll(cells(piece.rows()));
    }
    assertThat(cells).isEqualTo(cells(operations(writer, new byte[5000])));
  }

  @Test
  void textBytesCountSharedCellsEachTime() {
    RowOperationsReader reader = sharing(3, new byte[10]).reader();
    long[] seen = new long[3];
    for (int row = 0; reader.next(); row++) {
      seen[row] = reader.textBytes();
    }
    assertThat(seen).containsExactly(10, 20, 30);
  }
}
