package dev.kudu4j.common.rpc.frame;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/**
 * Estimates the memory that a message needs once it is parsed, in addition to its bytes, which it
 * aliases.
 *
 * <p>Two bytes on the wire can represent an object and its place in a list: a frame of 50 MB can
 * need more than a gigabyte. Long messages are therefore scanned first, element by element. Bytes
 * and strings are skipped, so the cost depends on the number of elements, not on the length.
 */
final class MessageWeight {
  private static final int MESSAGE_BYTES = 64;
  private static final int ELEMENT_BYTES = 32;
  private static final int DEEPEST = 100; // equal to the parser's own limit

  private MessageWeight() {}

  /**
   * @param atMost the count stops at this size
   * @return an estimate of heap bytes; at most slightly above {@code atMost}
   * @throws IOException if the message is malformed
   */
  static long of(ByteString message, Descriptor type, long atMost) throws IOException {
    return weigh(message.newCodedInput(), type, atMost, 0);
  }

  private static long weigh(CodedInputStream input, Descriptor type, long atMost, int depth)
      throws IOException {
    long weight = MESSAGE_BYTES;
    for (int tag = input.readTag(); tag != 0 && weight <= atMost; tag = input.readTag()) {
      weight += ELEMENT_BYTES;
      FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        weight += skip(input, tag);
      } else if (field != null && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        int outer = input.pushLimit(input.readRawVarint32());
        if (depth < DEEPEST) {
          weight += weigh(input, field.getMessageType(), atMost - weight, depth + 1);
        }
        input.skipRawBytes(Math.max(0, input.getBytesUntilLimit()));
        input.popLimit(outer);
      } else {
        int bytes = input.readRawVarint32();
        input.skipRawBytes(bytes);
        if (field != null && field.isPackable()) {
          weight += (long) bytes * Long.BYTES; // packed numbers, at least one byte each
        }
      }
    }
    return weight;
  }

  /**
   * Skips a field and returns 0 or, for a group, an estimate from its bytes: the elements of a
   * group also become objects.
   */
  private static long skip(CodedInputStream input, int tag) throws IOException {
    int before = input.getTotalBytesRead();
    input.skipField(tag);
    boolean group = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_START_GROUP;
    return group ? (long) (input.getTotalBytesRead() - before) * ELEMENT_BYTES : 0;
  }
}
