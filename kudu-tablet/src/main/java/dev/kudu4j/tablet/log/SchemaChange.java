package dev.kudu4j.tablet.log;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.SchemaWire;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * The content of an ALTER_SCHEMA entry: the new descriptor of the tablet.
 *
 * <pre>
 *   schema version u32 | name bytes u32 | table name UTF-8 | schema bytes u32 | SchemaPB with ids
 *   attribute count u32 | each: name bytes u32 | name UTF-8 | value bytes u32 | value
 * </pre>
 *
 * <p>Without attributes, the second line is absent.
 *
 * @param attributes new values of attributes of the tablet's descriptor; they replace attributes
 *     with the same names
 */
record SchemaChange(
    Schema schema, int schemaVersion, String tableName, Map<String, byte[]> attributes) {
  private static final int FIXED_BYTES = 3 * 4;

  byte[] encode() {
    byte[] name = tableName.getBytes(StandardCharsets.UTF_8);
    byte[] message = SchemaWire.toWire(schema, true).toByteArray();
    long total = EntryFormat.HEADER_BYTES + FIXED_BYTES + (long) name.length + message.length;
    total += attributes.isEmpty() ? 0 : Attributes.bytes(attributes);
    EntryWriter out = EntryWriter.begin(LogEntry.Type.ALTER_SCHEMA, 1, total);
    out.i32(schemaVersion);
    out.i32(name.length);
    out.raw(name, 0, name.length);
    out.i32(message.length);
    out.raw(message, 0, message.length);
    if (!attributes.isEmpty()) {
      Attributes.write(attributes, out);
    }
    return out.finish();
  }

  static SchemaChange decode(EntryReader in) {
    int schemaVersion = in.i32();
    String name = in.text(in.i32());
    int length = in.i32();
    int offset = in.take(length);
    byte[] message = Arrays.copyOfRange(in.array(), offset, offset + length);
    Map<String, byte[]> attributes = in.atEnd() ? Map.of() : Attributes.read(in);
    try {
      return new SchemaChange(
          SchemaWire.fromWire(SchemaPB.parseFrom(message)), schemaVersion, name, attributes);
    } catch (InvalidProtocolBufferException | KuduException e) {
      throw new KuduException(
          StatusCode.CORRUPTION, "Log entry contains an invalid schema: " + e.getMessage(), e);
    }
  }
}
