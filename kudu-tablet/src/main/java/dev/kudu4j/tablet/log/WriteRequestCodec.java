package dev.kudu4j.tablet.log;

import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.status.KuduException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The encoding of one request in a WRITE or FEED entry.
 *
 * <pre>
 *   flags u16 (bit 0: exactly-once, bit 1: in a transaction)
 *   | [client bytes u16, client UTF-8, sequence i64, first incomplete i64]      if bit 0 is set
 *   | [transaction i64]                                                         if bit 1 is set
 *   | piece u32 | pieces u32 | schema version u32
 *   | column count u16 | per column: id i32, type u8 (wire number), 1 if nullable u8
 *   | rows bytes u32 | indirect bytes u32 | rows | indirect data           data as received
 * </pre>
 */
final class WriteRequestCodec {
  private static final int HAS_ID = 1;
  private static final int HAS_TRANSACTION = 2;
  private static final int ID_BYTES = 2 + 8 + 8;
  private static final int FIXED_BYTES = 2 + 3 * 4 + 2 + 2 * 4;
  private static final int COLUMN_BYTES = 4 + 1 + 1;
  private static final int MAX_U16 = 0xffff;

  private WriteRequestCodec() {}

  static long encodedBytes(WriteRequest request) {
    long bytes = FIXED_BYTES + (long) COLUMN_BYTES * request.columnIds().length;
    if (request.id() != null) {
      bytes += ID_BYTES + clientBytes(request.id()).length;
    }
    if (request.isInTransaction()) {
      bytes += Long.BYTES;
    }
    return bytes + request.rows().rowsLength() + request.rows().indirectLength();
  }

  static void encode(WriteRequest request, EntryWriter out) {
    out.u16(
        (request.id() == null ? 0 : HAS_ID) | (request.isInTransaction() ? HAS_TRANSACTION : 0));
    if (request.id() != null) {
      encodeId(request.id(), out);
    }
    if (request.isInTransaction()) {
      out.i64(request.transaction());
    }
    out.i32(request.piece());
    out.i32(request.pieces());
    out.i32(request.schemaVersion());
    RowOperations rows = request.rows();
    encodeColumns(request.columnIds(), rows.layout(), out);
    out.i32(rows.rowsLength());
    out.i32(rows.indirectLength());
    out.raw(rows.rows(), rows.rowsOffset(), rows.rowsLength());
    out.raw(rows.indirect(), rows.indirectOffset(), rows.indirectLength());
  }

  private static void encodeId(RequestId id, EntryWriter out) {
    byte[] client = clientBytes(id);
    out.u16(client.length);
    out.raw(client, 0, client.length);
    out.i64(id.sequence());
    out.i64(id.firstIncomplete());
  }

  private static byte[] clientBytes(RequestId id) {
    byte[] bytes = id.clientId().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_U16) {
      throw KuduException.invalidArgument(
          "Client id of %d bytes is too long; the maximum is %d", bytes.length, MAX_U16);
    }
    return bytes;
  }

  private static void encodeColumns(int[] ids, RowLayout layout, EntryWriter out) {
    if (ids.length != layout.columnCount() || ids.length > MAX_U16) {
      throw KuduException.invalidArgument(
          "Request has %d column ids, but its rows have %d columns",
          ids.length, layout.columnCount());
    }
    out.u16(ids.length);
    for (int i = 0; i < ids.length; i++) {
      out.i32(ids[i]);
      out.u8(layout.type(i).wireNumber());
      out.u8(layout.isNullable(i) ? 1 : 0);
    }
  }

  static List<WriteRequest> decodeAll(int count, EntryReader in) {
    List<WriteRequest> requests = new ArrayList<>(Math.min(count, 1024));
    for (int i = 0; i < count; i++) {
      requests.add(decode(in));
    }
    return requests;
  }

  static WriteRequest decode(EntryReader in) {
    int flags = in.u16();
    if ((flags & ~(HAS_ID | HAS_TRANSACTION)) != 0) {
      throw KuduException.notSupported(
          "Write request has unknown flags %04x; run a newer server", flags);
    }
    RequestId id = (flags & HAS_ID) == 0 ? null : decodeId(in);
    long transaction =
        (flags & HAS_TRANSACTION) == 0 ? WriteRequest.NO_TRANSACTION : decodeTransaction(in);
    int piece = in.i32();
    int pieces = in.i32();
    if (piece < 0 || piece >= pieces) {
      throw in.corrupt("piece " + piece + " of " + pieces);
    }
    int schemaVersion = in.i32();
    int columns = in.u16();
    int[] columnIds = new int[columns];
    RowLayout layout = decodeColumns(in, columnIds);
    int rowsLength = in.i32();
    int indirectLength = in.i32();
    int rowsOffset = in.take(rowsLength);
    int indirectOffset = in.take(indirectLength);
    return new WriteRequest(
        id,
        transaction,
        piece,
        pieces,
        schemaVersion,
        columnIds,
        new RowOperations(
            layout,
            in.array(),
            rowsOffset,
            rowsLength,
            in.array(),
            indirectOffset,
            indirectLength));
  }

  private static long decodeTransaction(EntryReader in) {
    long transaction = in.i64();
    if (transaction < 0) {
      throw in.corrupt("transaction " + transaction);
    }
    return transaction;
  }

  private static RequestId decodeId(EntryReader in) {
    String client = in.text(in.u16());
    long sequence = in.i64();
    long firstIncomplete = in.i64();
    return new RequestId(client, sequence, firstIncomplete);
  }

  private static RowLayout decodeColumns(EntryReader in, int[] columnIds) {
    DataType[] types = new DataType[columnIds.length];
    boolean[] nullable = new boolean[columnIds.length];
    for (int i = 0; i < columnIds.length; i++) {
      columnIds[i] = in.i32();
      types[i] = decodeType(in);
      nullable[i] = in.u8() != 0;
    }
    return new RowLayout(Arrays.asList(types), nullable);
  }

  private static DataType decodeType(EntryReader in) {
    int number = in.u8();
    try {
      return DataType.ofWireNumber(number);
    } catch (KuduException e) {
      throw in.corrupt("column type number " + number);
    }
  }
}
