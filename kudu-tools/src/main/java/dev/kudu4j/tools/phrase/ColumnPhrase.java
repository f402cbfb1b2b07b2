package dev.kudu4j.tools.phrase;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.ColumnSchema.CompressionAlgorithm;
import dev.kudu4j.ColumnSchema.Encoding;
import dev.kudu4j.ColumnTypeAttributes.ColumnTypeAttributesBuilder;
import dev.kudu4j.Type;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.cell.CellReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Parses columns in the format of {@code table describe}: {@code id int64 key, name string nullable
 * default 'x' encoding dict}, and {@code primary key (id)}.
 */
public final class ColumnPhrase {
  /** The format, for the help of verbs. */
  public static final String FORM =
      "NAME TYPE [1D-ARRAY|WITHOUT TIME ZONE] [KEY] [NULLABLE|NOT NULL] [DEFAULT VALUE]"
          + " [ENCODING E] [COMPRESSION C] [BLOCK_SIZE N] [IMMUTABLE] [COMMENT 'TEXT']";

  private static final Map<String, Type> OTHER_NAMES =
      Map.ofEntries(
          Map.entry("TINYINT", Type.INT8),
          Map.entry("SMALLINT", Type.INT16),
          Map.entry("INT", Type.INT32),
          Map.entry("INTEGER", Type.INT32),
          Map.entry("BIGINT", Type.INT64),
          Map.entry("BOOLEAN", Type.BOOL),
          Map.entry("TIMESTAMP", Type.UNIXTIME_MICROS),
          Map.entry("TEXT", Type.STRING));

  private final Words words;
  private final List<ColumnSchema> columns = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();

  /**
   * The parsed columns, and those of them that form the key.
   *
   * @param keys names, in the order of the key
   */
  public record Columns(List<ColumnSchema> columns, List<String> keys) {}

  private ColumnPhrase(String what, String text) {
    this.words = new Words(what, text);
  }

  /**
   * @param what source of the text, for messages: {@code --columns}
   * @throws KuduException INVALID_ARGUMENT with the position of the error
   */
  public static Columns parse(String what, String text) {
    ColumnPhrase phrase = new ColumnPhrase(what, text);
    do {
      if (phrase.words.atEnd() && !phrase.columns.isEmpty()) {
        break; // a trailing comma is allowed
      }
      phrase.item();
    } while (phrase.words.takeSymbol(","));
    if (!phrase.words.atEnd()) {
      throw phrase.words.unexpected("a comma or the end");
    }
    return new Columns(phrase.columns, phrase.keys);
  }

  /** The type with this name, such as {@code INT32}, {@code bigint} or {@code decimal}. */
  public static Type type(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    if (OTHER_NAMES.containsKey(upper)) {
      return OTHER_NAMES.get(upper);
    }
    for (Type type : Type.values()) {
      if (type.name().equals(upper) && type != Type.NESTED) {
        return type;
      }
    }
    throw KuduException.invalidArgument(
        "Unknown type '%s'; types are INT8 INT16 INT32 INT64 BOOL FLOAT DOUBLE"
            + " DECIMAL(P, S) STRING VARCHAR(N) BINARY DATE UNIXTIME_MICROS",
        name);
  }

  /** The encoding with this name, with or without {@code _ENCODING}. */
  public static Encoding encoding(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    for (Encoding encoding : Encoding.values()) {
      if (encoding.name().equals(upper)
          || encoding.name().equals(upper + "_ENCODING")
          || (encoding == Encoding.DICT_ENCODING && upper.equals("DICTIONARY"))) {
        return encoding;
      }
    }
    throw KuduException.invalidArgument(
        "Unknown encoding '%s'; encodings are %s", name, List.of(Encoding.values()));
  }

  /** The compression with this name, with or without {@code _COMPRESSION}. */
  public static CompressionAlgorithm compression(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    for (CompressionAlgorithm compression : CompressionAlgorithm.values()) {
      if (compression.name().equals(upper) || compression.name().equals(upper + "_COMPRESSION")) {
        return compression;
      }
    }
    throw KuduException.invalidArgument(
        "Unknown compression '%s'; compressions are %s",
        name, List.of(CompressionAlgorithm.values()));
  }

  private void item() {
    if (words.peek().isKeyword("primary")) {
      words.take();
      words.expectKeyword("key");
      words.expectSymbol("(");
      keys.clear(); // this clause overrides the key and its order
      do {
        addKey(name("the name of a key column"));
      } while (words.takeSymbol(","));
      words.expectSymbol(")");
    } else {
      column();
    }
  }

  private void addKey(String name) {
    if (!keys.contains(name)) {
      keys.add(name);
    }
  }

  private String name(String wanted) {
    if (!words.peek().isName()) {
      throw words.unexpected(wanted);
    }
    return words.take().text();
  }

  private void column() {
    String name = name("a column (" + FORM + ")");
    Word typeName = words.take();
    if (typeName.kind() != Word.Kind.BARE) {
      throw words.unexpected(typeName, "the type of column " + name);
    }
    Type type = type(typeName.text());
    ColumnSchemaBuilder builder = new ColumnSchemaBuilder(name, type);
    attributes(type, name, builder);
    if (words.takeKeyword("1d-array") || words.takeKeyword("array")) {
      builder.array(true);
    }
    String defaultText = null;
    while (!words.atEnd() && !words.peek().isSymbol(",")) {
      Word word = words.take();
      if (word.isKeyword("key")) {
        addKey(name);
      } else if (word.isKeyword("primary")) {
        words.expectKeyword("key");
        addKey(name);
      } else if (word.isKeyword("without")) {
        words.expectKeyword("time");
        words.expectKeyword("zone");
        withoutTimeZone(name, type, builder);
      } else if (word.isKeyword("nullable") || word.isKeyword("null")) {
        builder.nullable(true);
      } else if (word.isKeyword("not")) {
        words.expectKeyword("null");
      } else if (word.isKeyword("immutable")) {
        builder.immutable(true);
      } else if (word.isKeyword("default")) {
        defaultText = value("a value");
      } else if (word.isKeyword("encoding")) {
        builder.encoding(encoding(value("an encoding")));
      } else if (word.isKeyword("compression")) {
        builder.compressionAlgorithm(compression(value("a compression")));
      } else if (word.isKeyword("block_size")) {
        builder.desiredBlockSize(number("bytes"));
      } else if (word.isKeyword("comment")) {
        builder.comment(value("a comment in single quotes"));
      } else {
        throw words.unexpected(
            word, "an attribute of column " + name + " or a comma (" + FORM + ")");
      }
    }
    columns.add(withDefault(builder, defaultText));
  }

  private static void withoutTimeZone(String name, Type type, ColumnSchemaBuilder builder) {
    if (type != Type.UNIXTIME_MICROS) {
      throw KuduException.invalidArgument(
          "Column %s: only UNIXTIME_MICROS can be WITHOUT TIME ZONE, not %s", name, type.name());
    }
    builder.withoutTimeZone(true);
  }

  /** Builds the column with its default, which can be parsed only after the type is known. */
  static ColumnSchema withDefault(ColumnSchemaBuilder builder, String text) {
    if (text == null) {
      return builder.build();
    }
    return builder.defaultValue(CellReader.read(builder.build(), text)).build();
  }

  private void attributes(Type type, String name, ColumnSchemaBuilder builder) {
    ColumnTypeAttributesBuilder attributes = new ColumnTypeAttributesBuilder();
    if (type == Type.DECIMAL) {
      expectAttributes(name, "DECIMAL(PRECISION, SCALE)");
      attributes.precision(number("a precision from 1 to 38"));
      attributes.scale(words.takeSymbol(",") ? number("a scale") : 0);
    } else if (type == Type.VARCHAR) {
      expectAttributes(name, "VARCHAR(LENGTH)");
      attributes.length(number("a length from 1 to 65535"));
    } else {
      return;
    }
    words.expectSymbol(")");
    builder.typeAttributes(attributes.build());
  }

  private void expectAttributes(String column, String form) {
    if (!words.takeSymbol("(")) {
      throw words.unexpected("'(' (column " + column + " as " + form + ")");
    }
  }

  private String value(String wanted) {
    if (!words.peek().isValue()) {
      throw words.unexpected(wanted);
    }
    return words.take().text();
  }

  private int number(String wanted) {
    Word word = words.take();
    if (word.kind() != Word.Kind.BARE || !word.text().matches("\\d{1,9}")) {
      throw words.unexpected(word, wanted);
    }
    return Integer.parseInt(word.text());
  }
}
