package dev.kudu4j;

import dev.kudu4j.client.PartialRow;
import dev.kudu4j.util.CharUtil;
import dev.kudu4j.util.DateUtil;
import dev.kudu4j.util.DecimalUtil;
import dev.kudu4j.util.TimestampUtil;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Schemas of every type, and values for them, for property tests. */
public final class SampleRows {
  private static final String[] TEXTS = {"", "a", "zebra", "naïve", "日本", "😀x", "\0\1", "'\"\\"};

  private SampleRows() {}

  /** A schema with a key of one to three columns, and others of any type. */
  public static Schema schema(RandomGenerator random) {
    List<ColumnSchema> columns = new ArrayList<>();
    int keys = 1 + random.nextInt(3);
    int all = keys + random.nextInt(20);
    for (int i = 0; i < all; i++) {
      Type type;
      do {
        type = Type.values()[random.nextInt(Type.values().length)];
      } while (i < keys && !isKeyable(type));
      columns.add(column("c" + i, type, i < keys, i >= keys && random.nextBoolean(), random));
    }
    return new Schema(columns);
  }

  private static boolean isKeyable(Type type) {
    return type != Type.BOOL && type != Type.FLOAT && type != Type.DOUBLE && type != Type.NESTED;
  }

  public static ColumnSchema column(
      String name, Type type, boolean key, boolean nullable, RandomGenerator random) {
    if (type == Type.NESTED) {
      return array(name, nullable, random);
    }
    var column = new ColumnSchema.ColumnSchemaBuilder(name, type).key(key).nullable(nullable);
    if (type == Type.DECIMAL) {
      int precision = 1 + random.nextInt(38);
      column.typeAttributes(DecimalUtil.typeAttributes(precision, random.nextInt(precision + 1)));
    } else if (type == Type.VARCHAR) {
      column.typeAttributes(CharUtil.typeAttributes(8 + random.nextInt(10)));
    }
    return column.build();
  }

  private static ColumnSchema array(String name, boolean nullable, RandomGenerator random) {
    Type element;
    do {
      element = Type.values()[random.nextInt(Type.values().length)];
    } while (element == Type.NESTED);
    ColumnSchema.ColumnSchemaBuilder column =
        new ColumnSchema.ColumnSchemaBuilder(name, element).array(true).nullable(nullable);
    if (element == Type.DECIMAL) {
      int precision = 1 + random.nextInt(18);
      column.typeAttributes(DecimalUtil.typeAttributes(precision, random.nextInt(precision + 1)));
    } else if (element == Type.VARCHAR) {
      column.typeAttributes(CharUtil.typeAttributes(8 + random.nextInt(10)));
    }
    return column.build();
  }

  private static Object[] elements(ColumnSchema element, RandomGenerator random) {
    Object[] elements =
        (Object[]) Array.newInstance(value(element, random).getClass(), random.nextInt(12));
    for (int i = 0; i < elements.length; i++) {
      elements[i] = random.nextInt(4) == 0 ? null : value(element, random);
    }
    return elements;
  }

  /** A value of the column's type, as addObject takes it. */
  public static Object value(ColumnSchema column, RandomGenerator random) {
    return switch (column.getType()) {
      case BOOL -> random.nextBoolean();
      case INT8 -> (byte) random.nextInt();
      case INT16 -> (short) random.nextInt();
      case INT32 -> random.nextInt(5) == 0 ? Integer.MIN_VALUE : random.nextInt();
      case INT64 -> random.nextInt(5) == 0 ? Long.MAX_VALUE : random.nextLong();
      case FLOAT -> random.nextFloat();
      case DOUBLE -> random.nextDouble();
      case UNIXTIME_MICROS -> TimestampUtil.microsToTimestamp(random.nextLong() >> 12);
      case DATE ->
          DateUtil.epochDaysToSqlDate(
              random.nextInt(DateUtil.MIN_DATE_VALUE, DateUtil.MAX_DATE_VALUE + 1));
      case DECIMAL -> decimal(column, random);
      case STRING, VARCHAR -> TEXTS[random.nextInt(TEXTS.length)];
      case BINARY -> {
        byte[] bytes = new byte[random.nextInt(6)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case NESTED -> elements(ColumnSchema.of(column.toCommon().element()), random);
    };
  }

  private static BigDecimal decimal(ColumnSchema column, RandomGenerator random) {
    int precision = column.getTypeAttributes().getPrecision();
    int scale = column.getTypeAttributes().getScale();
    if (random.nextInt(4) == 0) {
      return random.nextBoolean()
          ? DecimalUtil.maxValue(precision, scale)
          : DecimalUtil.minValue(precision, scale);
    }
    byte[] bytes = new byte[16];
    random.nextBytes(bytes);
    return new BigDecimal(new BigInteger(bytes).remainder(BigInteger.TEN.pow(precision)), scale);
  }

  /** Sets all key columns and some others; sets some of the others to NULL. */
  public static void fill(PartialRow row, RandomGenerator random) {
    int skipped = random.nextInt(3);
    for (int i = 0; i < row.getSchema().getColumnCount(); i++) {
      ColumnSchema column = row.getSchema().getColumnByIndex(i);
      if (!column.isKey() && random.nextInt(3) < skipped) {
        continue;
      }
      row.addObject(
          i, column.isNullable() && random.nextInt(3) == 0 ? null : value(column, random));
    }
  }
}
