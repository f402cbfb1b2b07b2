package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.index.ClaimTable;
import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The rows of one tablet with claims, {@link ClaimTable}, for its leader in one term. Writes carry
 * the term, and the log refuses them in any other; so what was read before is still true.
 */
final class ClaimRows {
  private final HostedTablet tablet;
  private final long term;
  private final Schema schema;
  private final RowsByKey rows;

  ClaimRows(HostedTablet tablet, long term, BufferAllocator allocator) {
    this.tablet = tablet;
    this.term = term;
    this.schema = tablet.tablet().schema();
    List<Integer> columns = schema.columns().stream().map(ColumnSchema::id).toList();
    this.rows = new RowsByKey(tablet.tablet(), schema, columns, allocator);
  }

  /** The claims of those values that have one. */
  Map<ByteString, Claim> read(Collection<ByteString> values) {
    Map<ByteString, Claim> claims = new HashMap<>();
    rows.read(values).forEach((value, row) -> claims.put(value, claim(row)));
    return claims;
  }

  private Claim claim(RowsByKey.Row row) {
    int first = schema.keyColumnCount();
    byte[][] cells = row.cells();
    return new Claim(
        ByteString.copyFrom(cells[first]),
        new Stamp(
            new String(cells[first + 1], StandardCharsets.UTF_8),
            number(cells[first + 2]),
            number(cells[first + 3])));
  }

  private static long number(byte[] cell) {
    return ByteBuffer.wrap(cell).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /**
   * Writes claims.
   *
   * @param changes by value; empty to remove the claim
   */
  CompletableFuture<Void> write(Map<ByteString, Optional<Claim>> changes) {
    RowOperationsWriter out = new RowOperationsWriter(RowLayout.of(schema));
    changes.forEach(
        (value, claim) -> {
          key(out, claim.isPresent() ? OperationType.UPSERT : OperationType.DELETE_IGNORE, value);
          claim.ifPresent(now -> cells(out, now));
          out.end();
        });
    WriteSubmission submission =
        new WriteSubmission(
            null,
            tablet.tablet().descriptor().schemaVersion(),
            schema.columns().stream().mapToInt(ColumnSchema::id).toArray(),
            out.packed(),
            WriteSubmission.NO_DEADLINE,
            term);
    return tablet
        .replica()
        .write(submission)
        .thenApply(
            result -> {
              if (!result.errors().isEmpty()) {
                throw KuduException.corruption(
                    "Tablet %s refused a claim: %s",
                    tablet.tabletId(), result.errors().get(0).message());
              }
              return null;
            });
  }

  private void key(RowOperationsWriter out, OperationType operation, ByteString value) {
    out.begin(operation);
    byte[][] cells = KeyDecoder.decode(schema, value.toByteArray());
    for (int i = 0; i < cells.length; i++) {
      out.setCell(i, cells[i]);
    }
  }

  private void cells(RowOperationsWriter out, Claim claim) {
    int first = schema.keyColumnCount();
    out.setCell(first, claim.owner().toByteArray())
        .setString(first + 1, claim.stamp().tabletId())
        .setLong(first + 2, claim.stamp().term())
        .setLong(first + 3, claim.stamp().number());
  }
}
