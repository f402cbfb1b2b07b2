package dev.kudu4j.tools.demo;

import dev.kudu4j.client.Delete;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.Update;
import io.trino.tpch.LineItem;
import java.math.BigDecimal;

/**
 * Updates every tenth row of {@code lineitem} and deletes every hundredth; no row is both updated
 * and deleted. An update increments the quantity.
 */
final class Changes {
  private static final int UPDATE_EVERY = 10;
  private static final int DELETE_EVERY = 100;
  private static final int DELETE_AT = 5;
  private static final long ONE_PIECE = 100;

  /**
   * The result.
   *
   * @param after the expected totals of the table after the changes
   */
  record ChangeResult(long updated, long deleted, Totals after, long nanos) {}

  private final KuduClient client;
  private final Progress progress;

  Changes(KuduClient client, Progress progress) {
    this.client = client;
    this.progress = progress;
  }

  /**
   * @param lines the rows that were loaded; they are generated a second time to get their keys
   * @param before the totals of the table before the changes
   */
  ChangeResult apply(Iterable<LineItem> lines, Totals before) throws KuduException {
    KuduTable table = client.openTable(LineItemTable.NAME);
    long began = System.nanoTime();
    long ordinal = 0;
    long updated = 0;
    long deleted = 0;
    long quantity = before.quantity();
    try (RowWriter writer = new RowWriter(client);
        Progress.Meter meter = progress.begin("updates and deletes", before.rows(), "rows")) {
      for (LineItem line : lines) {
        if (ordinal % UPDATE_EVERY == 0) {
          writer.write(update(table, line));
          quantity += ONE_PIECE;
          updated++;
        } else if (ordinal % DELETE_EVERY == DELETE_AT) {
          writer.write(delete(table, line));
          quantity -= LineItemTable.quantity(line);
          deleted++;
        }
        meter.at(++ordinal);
      }
      writer.finish();
    }
    return new ChangeResult(
        updated, deleted, new Totals(before.rows() - deleted, quantity), System.nanoTime() - began);
  }

  private static Update update(KuduTable table, LineItem line) {
    Update update = table.newUpdate();
    setKey(update.getRow(), line);
    update
        .getRow()
        .addDecimal(
            LineItemTable.QUANTITY,
            BigDecimal.valueOf(LineItemTable.quantity(line) + ONE_PIECE, TpchTable.CENTS));
    return update;
  }

  private static Delete delete(KuduTable table, LineItem line) {
    Delete delete = table.newDelete();
    setKey(delete.getRow(), line);
    return delete;
  }

  private static void setKey(PartialRow row, LineItem line) {
    row.addLong(LineItemTable.ORDER_KEY, line.getOrderKey());
    row.addInt(LineItemTable.LINE_NUMBER, line.getLineNumber());
  }
}
