package dev.kudu4j.common.array;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;

/**
 * Verifies array cells and gives access to their elements. One object reads any number of cells of
 * one column. It allocates nothing and does not copy the bytes.
 *
 * <pre>
 *   reader.open(cell, offset, length);
 *   for (int i = 0; i &lt; reader.count(); i++) {
 *     reader.isNull(i); reader.elementOffset(i); reader.elementLength(i) // in cell form
 *   }
 * </pre>
 *
 * <p>{@link #open} verifies the whole cell, so the other methods need no checks: they may be called
 * only after it returned, for elements from 0 to {@code count() - 1}, as long as the bytes do not
 * change. Not thread-safe.
 */
public final class ArrayCellReader {
  private static final byte[] NOTHING = new byte[0];

  private final DataType elementType;
  private final int kind;
  private final int width; // in the vector: of an offset for text and binary
  private final FlatBuffer buffer = new FlatBuffer();

  private byte[] bytes = NOTHING;
  private int base;
  private int count;
  private int valuesAt;
  private int validityAt; // negative if no element is NULL

  /**
   * @throws KuduException NOT_SUPPORTED if no array has such elements
   */
  public ArrayCellReader(DataType elementType) {
    if (!ArrayCells.supports(elementType)) {
      throw KuduException.notSupported("Arrays of %s are not supported", elementType);
    }
    this.elementType = elementType;
    this.kind = ArrayCells.kind(elementType);
    this.width = elementType.isVariableLength() ? Integer.BYTES : elementType.width();
  }

  /**
   * Moves to the cell at {@code [offset, offset + length)}.
   *
   * @throws KuduException CORRUPTION if the bytes are not an array of this reader's elements
   */
  public void open(byte[] array, int offset, int length) {
    bytes = array;
    base = offset;
    count = 0;
    validityAt = -1;
    if (length == 0) {
      return;
    }
    buffer.open(array, offset, length);
    int content = buffer.table(buffer.target(0));
    int elements = buffer.field(content, ArrayCells.ELEMENTS_FIELD);
    if (elements != FlatBuffer.ABSENT) {
      checkKind(buffer.field(content, ArrayCells.KIND_FIELD));
      openElements(buffer.target(elements), length);
    }
    openValidity(buffer.field(content, ArrayCells.VALIDITY_FIELD));
  }

  private void checkKind(int field) {
    int found = field == FlatBuffer.ABSENT ? 0 : buffer.getByte(field);
    if (found != kind) {
      throw buffer.malformed(
          "the elements are of kind "
              + found
              + " instead of "
              + kind
              + ", which is "
              + elementType);
    }
  }

  private void openElements(int table, int length) {
    int vector = valuesOf(table);
    int elements = buffer.vectorLength(vector, width);
    valuesAt = vector + Integer.BYTES;
    if (elementType.isVariableLength()) {
      checkTexts(elements, length);
    }
    count = elements;
  }

  /** Verifies the table at {@code table} and returns the position of its vector. */
  private int valuesOf(int table) {
    int field = buffer.field(buffer.table(table), ArrayCells.VALUES_FIELD);
    if (field == FlatBuffer.ABSENT) {
      throw buffer.malformed("the table at byte " + table + " lacks its values");
    }
    return buffer.target(field);
  }

  /**
   * Verifies all elements. Elements that share their bytes are rejected if together they are larger
   * than the cell: such a cell would take much more memory than its size once it is decoded.
   */
  private void checkTexts(int elements, int length) {
    long total = 0;
    for (int i = 0; i < elements; i++) {
      int element = buffer.target(valuesAt + i * Integer.BYTES);
      int vector = kind == ArrayCells.BINARY ? valuesOf(element) : element;
      int elementBytes = buffer.vectorLength(vector, 1);
      if (kind == ArrayCells.TEXT && buffer.getByte(vector + Integer.BYTES + elementBytes) != 0) {
        throw buffer.malformed("element " + i + " lacks the zero byte at its end");
      }
      total += elementBytes;
    }
    if (total > length) {
      throw buffer.malformed("the elements have " + total + " bytes because they overlap");
    }
  }

  private void openValidity(int field) {
    if (field == FlatBuffer.ABSENT) {
      return;
    }
    int vector = buffer.target(field);
    int validityBytes = buffer.vectorLength(vector, 1);
    if (validityBytes == 0) {
      return;
    }
    if (validityBytes != ArrayCells.validityBytes(count)) {
      throw buffer.malformed(count + " elements have " + validityBytes + " bytes of validity bits");
    }
    validityAt = vector + Integer.BYTES;
  }

  /** The type of the elements. */
  public DataType elementType() {
    return elementType;
  }

  /** The number of elements. */
  public int count() {
    return count;
  }

  /** Whether the cell has validity bits, so that elements may be NULL. */
  public boolean mayHaveNulls() {
    return validityAt >= 0;
  }

  public boolean isNull(int element) {
    return validityAt >= 0
        && (bytes[base + validityAt + (element >>> 3)] >>> (element & 7) & 1) == 0;
  }

  /** The array with the elements: the one given to {@link #open}. */
  public byte[] array() {
    return bytes;
  }

  /**
   * The position of an element's cell form in {@link #array}. For fixed-width elements, element i
   * follows element i - 1. The bytes of a NULL element are arbitrary.
   */
  public int elementOffset(int element) {
    return elementType.isVariableLength()
        ? base + textAt(element) + Integer.BYTES
        : base + valuesAt + element * width;
  }

  /** The size of an element's cell form in bytes. */
  public int elementLength(int element) {
    return elementType.isVariableLength()
        ? LittleEndian.getInt(bytes, base + textAt(element))
        : width;
  }

  /** The position of the length of a string or binary element. */
  private int textAt(int element) {
    int at = follow(valuesAt + element * Integer.BYTES);
    return kind == ArrayCells.BINARY ? follow(buffer.field(at, ArrayCells.VALUES_FIELD)) : at;
  }

  private int follow(int offsetAt) {
    return offsetAt + LittleEndian.getInt(bytes, base + offsetAt);
  }
}
