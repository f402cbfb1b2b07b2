package dev.kudu4j.itest.agreement;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Random;

/**
 * Random cells of a column, in the types of both clients: mostly few distinct values close to each
 * other, so that they equal bounds and each other, and sometimes the maximum or minimum of the
 * type.
 */
final class Values {
  private static final int NEAR = 40;
  private static final String LETTERS = "ab\u0001zé";

  private Values() {}

  static Object of(ColumnSchema column, Random random) {
    int n = random.nextInt(NEAR) - NEAR / 2;
    boolean extreme = random.nextInt(20) == 0;
    boolean min = random.nextBoolean();
    return switch (column.getType()) {
      case INT8 -> extreme ? (min ? Byte.MIN_VALUE : Byte.MAX_VALUE) : (byte) n;
      case INT16 -> extreme ? (min ? Short.MIN_VALUE : Short.MAX_VALUE) : (short) n;
      case INT32 -> extreme ? (min ? Integer.MIN_VALUE : Integer.MAX_VALUE) : n;
      case INT64 -> extreme ? (min ? Long.MIN_VALUE : Long.MAX_VALUE) : (long) n;
      case DATE -> Date.valueOf(LocalDate.ofEpochDay(extreme ? (min ? -700_000 : 2_900_000) : n));
      case UNIXTIME_MICROS -> new Timestamp(1_000L * n);
      case DECIMAL -> decimal(column, extreme, min, n);
      case BINARY -> text(random).getBytes(StandardCharsets.UTF_8);
      case VARCHAR, STRING -> text(random);
      default -> throw new IllegalArgumentException(column.toString());
    };
  }

  private static BigDecimal decimal(ColumnSchema column, boolean extreme, boolean min, int n) {
    int precision = column.getTypeAttributes().getPrecision();
    int scale = column.getTypeAttributes().getScale();
    BigInteger max = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
    BigInteger unscaled = extreme ? (min ? max.negate() : max) : BigInteger.valueOf(n);
    return new BigDecimal(unscaled, scale);
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }

  /** Whether both clients accept lists of such values. */
  static boolean mayBeListed(ColumnSchema column) {
    return column.getType() != Type.DATE
        && column.getType() != Type.UNIXTIME_MICROS
        && column.getType() != Type.DECIMAL;
  }

  static boolean isEmptyText(Object cell) {
    return cell instanceof byte[] bytes ? bytes.length == 0 : "".equals(cell);
  }

  static String text(Object cell) {
    return cell instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(cell);
  }
}
