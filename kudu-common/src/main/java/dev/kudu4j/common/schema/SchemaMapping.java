package dev.kudu4j.common.schema;

import java.util.Arrays;

/**
 * Where the columns of a message stand in a tablet's schema, and the reverse. Columns are matched
 * by name; those the client does not know are absent from its rows.
 */
public final class SchemaMapping {
  /** No such column on the other side. */
  public static final int ABSENT = -1;

  private final int[] tabletIndexOf;
  private final int[] messageIndexOf;

  private SchemaMapping(int[] tabletIndexOf, int[] messageIndexOf) {
    this.tabletIndexOf = tabletIndexOf;
    this.messageIndexOf = messageIndexOf;
  }

  /**
   * Matches the schema of a write, or of range bounds, with the tablet's or table's.
   *
   * @throws SchemaException MISMATCHED_SCHEMA when the client has a column that the tablet has not,
   *     lacks a key column, or sees a column with another type or nullability
   */
  public static SchemaMapping match(Schema client, Schema tablet) {
    int[] tabletIndexOf = new int[client.columnCount()];
    int[] messageIndexOf = new int[tablet.columnCount()];
    Arrays.fill(messageIndexOf, ABSENT);
    for (int i = 0; i < tabletIndexOf.length; i++) {
      ColumnSchema column = client.column(i);
      int index = tablet.indexOfName(column.name());
      if (index < 0) {
        throw SchemaException.mismatched("Client provided column %s not present in tablet", column);
      }
      checkSameType(tablet.column(index), column);
      tabletIndexOf[i] = index;
      messageIndexOf[index] = i;
    }
    for (int i = 0; i < tablet.keyColumnCount(); i++) {
      if (messageIndexOf[i] == ABSENT) {
        throw SchemaException.mismatched("Client missing required column: %s", tablet.column(i));
      }
    }
    return new SchemaMapping(tabletIndexOf, messageIndexOf);
  }

  /**
   * Checks that a client sees a column with the type and nullability it has.
   *
   * @throws SchemaException MISMATCHED_SCHEMA when not
   */
  static void checkSameType(ColumnSchema ours, ColumnSchema clients) {
    boolean same =
        ours.type() == clients.type()
            && ours.isNullable() == clients.isNullable()
            && (!ours.type().isDecimal()
                || (ours.precision() == clients.precision() && ours.scale() == clients.scale()));
    if (!same) {
      throw SchemaException.mismatched(
          "The column '%s' must have type %s found %s",
          ours.name(), ours.typeText(), clients.typeText());
    }
  }

  /** The tablet's index of a column of the message. */
  public int tabletIndexOf(int messageIndex) {
    return tabletIndexOf[messageIndex];
  }

  /** The message's index of a column of the tablet, or {@link #ABSENT}. */
  public int messageIndexOf(int tabletIndex) {
    return messageIndexOf[tabletIndex];
  }

  /** The message's index of each of the tablet's columns, or {@link #ABSENT}. */
  public int[] messageIndexes() {
    return messageIndexOf.clone();
  }

  /** The message's index of each key column of the tablet: all are there. */
  public int[] messageIndexesOfKey(Schema tablet) {
    return Arrays.copyOf(messageIndexOf, tablet.keyColumnCount());
  }
}
