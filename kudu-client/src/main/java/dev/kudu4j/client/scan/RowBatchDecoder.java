package dev.kudu4j.client.scan;

import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Copies responses to the heap in the form in which they arrive. */
public final class RowBatchDecoder implements BatchDecoder<RowBatch> {
  private final RowwiseDecoder rowwise;
  private final ColumnarDecoder columnar;
  private final boolean wantsColumns;
  private final boolean takesRows;

  private RowBatchDecoder(CellLayout layout, boolean wantsColumns, boolean takesRows) {
    this.rowwise = new RowwiseDecoder(layout);
    this.columnar = new ColumnarDecoder(layout);
    this.wantsColumns = wantsColumns;
    this.takesRows = takesRows;
  }

  public static RowBatchDecoder rowwise(CellLayout layout) {
    return new RowBatchDecoder(layout, false, true);
  }

  public static RowBatchDecoder columnar(CellLayout layout) {
    return new RowBatchDecoder(layout, true, false);
  }

  /**
   * Requests columnar responses, which cost a server less, if the server supports them. A scan
   * without columns, which only counts rows, requests row-wise responses.
   */
  public static RowBatchDecoder ofEither(CellLayout layout) {
    return new RowBatchDecoder(layout, layout.columnCount() > 0, true);
  }

  @Override
  public boolean columnar() {
    return wantsColumns;
  }

  @Override
  public boolean takesRows() {
    return takesRows;
  }

  @Override
  public BatchDecoder<RowBatch> filtered(RowFilter filter) {
    RowBatchDecoder all = new RowBatchDecoder(filter.layout(), wantsColumns, takesRows);
    return new BatchDecoder<>() {
      @Override
      public boolean columnar() {
        return all.columnar();
      }

      @Override
      public boolean takesRows() {
        return all.takesRows();
      }

      @Override
      public RowBatch decode(ScanResponsePB answer, List<ByteBuf> sidecars) {
        return filter.select(all.decode(answer, sidecars));
      }

      @Override
      public int rowCount(RowBatch batch, ScanResponsePB answer) {
        return batch.count();
      }
    };
  }

  @Override
  public RowBatch decode(ScanResponsePB answer, List<ByteBuf> sidecars) {
    return answer.hasColumnarData()
        ? columnar.decode(answer, sidecars)
        : rowwise.decode(answer, sidecars);
  }
}
