package dev.kudu4j.itest.hostile;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Changes messages in three ways: by the meaning of a field (extreme values, other enum values,
 * lists that are too long), by the encoding (fields removed, repeated, of another type; this needs
 * no descriptor), and by bytes. The result depends only on the random numbers.
 */
final class Mutator {
  private static final long[] EXTREMES = {
    0,
    1,
    -1,
    2,
    127,
    128,
    255,
    65_535,
    65_536,
    99_999,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 31,
    (1L << 32) - 1,
    1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MAX_VALUE - 1
  };
  private static final int[] LENGTHS = {0, 1, 2, 31, 33, 64, 65, 255, 256, 5_000, 70_000};
  private static final String[] TEXTS = {
    "",
    " ",
    ".",
    "..",
    "/",
    "../../../victim",
    "\0",
    "x\ny\r\n",
    "%s%n",
    "\u001b[2J",
    "é".repeat(300)
  };
  private static final int MAX_CHANGES = 3;
  private static final int DEEPEST = 4;

  private final Random random;

  Mutator(Random random) {
    this.random = random;
  }

  /** A mutation of a valid request; sometimes the request itself. */
  byte[] mutate(Message seed) {
    return switch (random.nextInt(10)) {
      case 0 -> seed.toByteArray();
      case 1, 2, 3, 4 -> values(seed).toByteArray();
      case 5, 6, 7 -> form(seed.toByteArray());
      case 8 -> bytes(seed.toByteArray());
      default -> bytes(form(values(seed).toByteArray()));
    };
  }

  // ---- by meaning

  private Message values(Message seed) {
    Message.Builder builder = seed.toBuilder();
    for (int i = 1 + random.nextInt(MAX_CHANGES); i > 0; i--) {
      changeField(builder, 0);
    }
    return builder.buildPartial();
  }

  private void changeField(Message.Builder message, int depth) {
    List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
    if (fields.isEmpty()) {
      return;
    }
    FieldDescriptor field = fields.get(random.nextInt(fields.size()));
    if (field.isMapField()) {
      message.clearField(field);
    } else if (field.isRepeated()) {
      changeList(message, field, depth);
    } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      if (depth < DEEPEST) {
        changeField(message.getFieldBuilder(field), depth + 1);
      }
    } else if (random.nextInt(8) == 0) {
      message.clearField(field);
    } else {
      message.setField(field, value(field));
    }
  }

  private void changeList(Message.Builder message, FieldDescriptor field, int depth) {
    int count = message.getRepeatedFieldCount(field);
    boolean messages = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    if (count > 0 && random.nextInt(4) == 0) {
      message.clearField(field);
    } else if (count > 0 && messages && random.nextBoolean()) {
      changeField(message.getRepeatedFieldBuilder(field, random.nextInt(count)), depth + 1);
    } else if (count > 0) {
      Object last = message.getRepeatedField(field, count - 1);
      for (int i = random.nextInt(10) == 0 ? 2_000 : 3; i > 0; i--) {
        message.addRepeatedField(field, last);
      }
    } else if (messages) {
      Message.Builder element = message.newBuilderForField(field);
      if (depth < DEEPEST) {
        changeField(element, depth + 1);
      }
      message.addRepeatedField(field, element.buildPartial());
    } else {
      message.addRepeatedField(field, value(field));
    }
  }

  private Object value(FieldDescriptor field) {
    long extreme = EXTREMES[random.nextInt(EXTREMES.length)];
    return switch (field.getJavaType()) {
      case INT -> (int) extreme;
      case LONG -> extreme;
      case FLOAT -> Float.NaN;
      case DOUBLE -> Double.NaN;
      case BOOLEAN -> random.nextBoolean();
      case STRING -> string();
      case BYTE_STRING -> ByteString.copyFromUtf8(string());
      case ENUM -> {
        var values = field.getEnumType().getValues();
        yield values.get(random.nextInt(values.size()));
      }
      case MESSAGE -> throw new IllegalArgumentException(field.getFullName());
    };
  }

  private String string() {
    return random.nextBoolean()
        ? TEXTS[random.nextInt(TEXTS.length)]
        : String.valueOf((char) ('0' + random.nextInt(75)))
            .repeat(LENGTHS[random.nextInt(LENGTHS.length)]);
  }

  // ---- by encoding

  /** Changes the fields of a message, without its descriptor. */
  byte[] form(byte[] message) {
    try {
      return form(UnknownFieldSet.parseFrom(message), 0).toByteArray();
    } catch (InvalidProtocolBufferException e) {
      return bytes(message);
    }
  }

  private UnknownFieldSet form(UnknownFieldSet fields, int depth) {
    UnknownFieldSet.Builder builder = fields.toBuilder();
    List<Map.Entry<Integer, UnknownFieldSet.Field>> present =
        new ArrayList<>(fields.asMap().entrySet());
    if (present.isEmpty() || random.nextInt(6) == 0) {
      int number = 1 + random.nextInt(random.nextBoolean() ? 12 : 1_100);
      return builder.mergeField(number, field()).build();
    }
    var chosen = present.get(random.nextInt(present.size()));
    int number = chosen.getKey();
    switch (random.nextInt(4)) {
      case 0 -> builder.clearField(number);
      case 1 -> builder.addField(number, field());
      case 2 -> {
        for (int i = random.nextInt(20) == 0 ? 1_000 : 2; i > 0; i--) {
          builder.mergeField(number, chosen.getValue());
        }
      }
      default -> inside(builder, number, chosen.getValue(), depth);
    }
    return builder.build();
  }

  /** Changes a field that may be a message itself. */
  private void inside(
      UnknownFieldSet.Builder builder, int number, UnknownFieldSet.Field field, int depth) {
    if (field.getLengthDelimitedList().isEmpty() || depth == DEEPEST) {
      builder.addField(number, field());
      return;
    }
    ByteString bytes = field.getLengthDelimitedList().get(0);
    ByteString changed;
    try {
      changed = form(UnknownFieldSet.parseFrom(bytes), depth + 1).toByteString();
    } catch (InvalidProtocolBufferException e) {
      changed = ByteString.copyFrom(bytes(bytes.toByteArray()));
    }
    builder.addField(
        number, UnknownFieldSet.Field.newBuilder().addLengthDelimited(changed).build());
  }

  private UnknownFieldSet.Field field() {
    UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
    long extreme = EXTREMES[random.nextInt(EXTREMES.length)];
    switch (random.nextInt(5)) {
      case 0 -> field.addFixed32((int) extreme);
      case 1 -> field.addFixed64(extreme);
      case 2 -> field.addLengthDelimited(ByteString.copyFromUtf8(string()));
      case 3 -> field.addGroup(nested());
      default -> field.addVarint(extreme);
    }
    return field.build();
  }

  /** Nested groups: a parser must not run out of stack. */
  private UnknownFieldSet nested() {
    UnknownFieldSet inner = UnknownFieldSet.getDefaultInstance();
    for (int i = random.nextInt(200); i > 0; i--) {
      inner =
          UnknownFieldSet.newBuilder()
              .addField(1, UnknownFieldSet.Field.newBuilder().addGroup(inner).build())
              .build();
    }
    return inner;
  }

  // ---- by bytes

  /** Flips, cuts, repeats and overwrites bytes. */
  byte[] bytes(byte[] message) {
    byte[] changed = message.clone();
    for (int i = 1 + random.nextInt(MAX_CHANGES); i > 0; i--) {
      changed = changeBytes(changed);
    }
    return changed;
  }

  private byte[] changeBytes(byte[] message) {
    int at = message.length == 0 ? 0 : random.nextInt(message.length);
    if (message.length == 0) {
      return noise(1 + random.nextInt(64));
    }
    return switch (random.nextInt(6)) {
      case 0 -> {
        message[at] ^= (byte) (1 << random.nextInt(8));
        yield message;
      }
      case 1 -> Arrays.copyOf(message, at);
      case 2 -> Arrays.copyOfRange(message, at, message.length);
      case 3 -> concat(message, Arrays.copyOfRange(message, at, message.length));
      case 4 -> concat(Arrays.copyOf(message, at), noise(1 + random.nextInt(32)));
      default -> {
        int end = Math.min(message.length, at + 1 + random.nextInt(10));
        Arrays.fill(message, at, end, (byte) (random.nextBoolean() ? 0xff : 0));
        yield message;
      }
    };
  }

  private byte[] noise(int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    return noise;
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** A string with its characters cut, repeated and replaced. */
  String text(String text) {
    List<String> words = new ArrayList<>(List.of(text.split("(?<=[ /?&=\r\n:])")));
    switch (random.nextInt(4)) {
      case 0 -> Collections.shuffle(words, random);
      case 1 -> words.set(random.nextInt(words.size()), string());
      case 2 -> words.add(random.nextInt(words.size() + 1), string());
      default -> words.remove(random.nextInt(words.size()));
    }
    return String.join("", words);
  }
}
