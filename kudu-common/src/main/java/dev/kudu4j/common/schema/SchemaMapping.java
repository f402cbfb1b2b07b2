package dev.kudu4j.common.schema;

import java.util.Arrays;

/**
 * Maps the columns of a message to the columns of a tablet's schema, and the reverse. Columns are
 * matched by name. If the client's schema lacks columns of the tablet, the client's rows have no
 * cells for them.
 */
public final class SchemaMapping {
  /** The result for a column that the other schema does not contain. */
  public static final int ABSENT = -1;

  private final int[] tabletIndexOf;
  private final int[] messageIndexOf;

  private SchemaMapping(int[] tabletIndexOf, int[] messageIndexOf) {
    this.tabletIndexOf = tabletIndexOf;
    this.messageIndexOf = messageIndexOf;
  }

  /**
   * Matches the schema of a write, or of range bounds, with that of the tablet or table.
   *
   * @throws SchemaException MISMATCHED_SCHEMA if the client has a column that the tablet does not
   *     have, lacks a key column, or has a column with another type or nullability
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
   * Checks that the client's column has the type and nullability of the tablet's column.
   *
   * @throws SchemaException MISMATCHED_SCHEMA if it does not
   */
  static void checkSameType(ColumnSchema ours, ColumnSchema clients) {
    boolean same =
        ours.type() == clients.type()
            && ours.elementType() == clients.elementType()
            && ours.isNullable() == clients.isNullable()
            && (!ours.scalarType().isDecimal()
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

  /** The message's indexes of the tablet's key columns, which are always present. */
  public int[] messageIndexesOfKey(Schema tablet) {
    return Arrays.copyOf(messageIndexOf, tablet.keyColumnCount());
  }
}
