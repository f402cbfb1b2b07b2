package dev.kudu4j.spark.sql;

/** Quotes text for Spark, and removes the quotes that a statement has. */
final class SqlText {
  private SqlText() {}

  /** A string literal. */
  static String literal(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  /** A name without its backquotes, if it has any. */
  static String unquotedName(String name) {
    return name.startsWith("`") ? name.substring(1, name.length() - 1).replace("``", "`") : name;
  }

  /** The text of a string literal that contains no backslash. */
  static String unquotedLiteral(String literal) {
    String quote = literal.substring(0, 1);
    return literal.substring(1, literal.length() - 1).replace(quote + quote, quote);
  }
}
