package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.tablet.scan.expression.RowChunk;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Assigns each row of a chunk a <em>slot</em>, numbered from 0, and maps each slot to its group.
 *
 * <p>If the dictionary codes have few combinations, a slot is a combination of codes, and no row
 * needs a look-up. Otherwise a slot is a group of the chunk. Rows that are computed but not
 * selected get the extra slot {@link #slotCount}.
 */
final class Groups {
  /** The maximum number of code combinations that are used as slots. */
  static final int MAX_COMBINATIONS = 1024;

  private final List<GroupColumn> columns;
  private final PairTable[] tables; // table i maps the values of columns 0..i+1 to one number
  private final int[][] codes;
  private final long[] codeVersions;
  private final int[] codeCounts; // those that the slots were computed with
  private final int[] slots = new int[RowChunk.MAX_ROWS];
  private int slotCount;
  private boolean combined;
  private int[] groupOfSlot = new int[1];

  // The slots of groups in the chunk whose number is stampOfGroup.
  private int[] slotOfGroup = new int[0];
  private int[] stampOfGroup = new int[0];
  private int stamp;

  Groups(List<GroupColumn> columns) {
    this.columns = columns;
    this.tables = new PairTable[Math.max(0, columns.size() - 1)];
    Arrays.setAll(tables, i -> new PairTable());
    this.codes = new int[columns.size()][];
    this.codeVersions = new long[columns.size()];
    this.codeCounts = new int[columns.size()];
  }

  /** The slots of the chunk's rows. */
  int[] assign(RowChunk chunk) throws IOException {
    long combinations = 1;
    boolean changed = false;
    for (int i = 0; i < codes.length; i++) {
      codes[i] = columns.get(i).codes(chunk);
      int codeCount = columns.get(i).codeCount();
      combinations = Math.min(combinations * codeCount, Integer.MAX_VALUE);
      changed |= codeVersions[i] != columns.get(i).codeVersion() || codeCounts[i] != codeCount;
      codeCounts[i] = codeCount;
      codeVersions[i] = columns.get(i).codeVersion();
    }
    boolean combine = combinations <= MAX_COMBINATIONS;
    changed |= combine != combined;
    combined = combine;
    if (combine) {
      slotCount = (int) combinations;
      combineCodes(chunk.count());
    } else {
      findGroups(chunk);
    }
    if (changed && combine) {
      groupOfSlot = new int[slotCount];
      Arrays.fill(groupOfSlot, -1);
    }
    if (!chunk.isPicked()) {
      assignUnselected(chunk);
    }
    return slots;
  }

  private void combineCodes(int count) {
    if (codes.length == 0) {
      Arrays.fill(slots, 0, count, 0);
      return;
    }
    System.arraycopy(codes[0], 0, slots, 0, count);
    for (int i = 1; i < codes.length; i++) {
      appendCode(slots, columns.get(i).codeCount(), codes[i], count);
    }
  }

  private static void appendCode(int[] slots, int codeCount, int[] codes, int count) {
    for (int i = 0; i < count; i++) {
      slots[i] = slots[i] * codeCount + codes[i];
    }
  }

  /** Numbers the groups of the chunk in order of appearance. */
  private void findGroups(RowChunk chunk) {
    if (groupOfSlot.length < RowChunk.MAX_ROWS) {
      groupOfSlot = new int[RowChunk.MAX_ROWS];
    }
    stamp++;
    slotCount = 0;
    for (int i = 0; i < chunk.count(); i++) {
      boolean kept = chunk.isPicked() || chunk.rows().selection().isSelected(chunk.row(i));
      slots[i] = kept ? slotOf(groupOfRow(i)) : 0;
    }
  }

  private int slotOf(int group) {
    if (group >= stampOfGroup.length) {
      int length = Math.max(group + 1, 2 * stampOfGroup.length);
      stampOfGroup = Arrays.copyOf(stampOfGroup, length);
      slotOfGroup = Arrays.copyOf(slotOfGroup, length);
    }
    if (stampOfGroup[group] != stamp) {
      stampOfGroup[group] = stamp;
      slotOfGroup[group] = slotCount;
      groupOfSlot[slotCount++] = group;
    }
    return slotOfGroup[group];
  }

  private int groupOfRow(int row) {
    int number = columns.get(0).numberOf(codes[0][row]);
    for (int i = 1; i < codes.length; i++) {
      number = tables[i - 1].number(number, columns.get(i).numberOf(codes[i][row]));
    }
    return number;
  }

  /**
   * Assigns the slot {@link #slotCount}, whose sums are never read, to rows that are not selected.
   */
  private void assignUnselected(RowChunk chunk) {
    long[] kept = chunk.rows().selection().words();
    int from = chunk.from();
    for (int i = 0; i < chunk.count(); ) {
      int row = from + i;
      int take = Math.min(64 - (row & 63), chunk.count() - i);
      long dropped = ~(kept[row >>> 6] >>> row) & (-1L >>> (64 - take));
      for (; dropped != 0; dropped &= dropped - 1) {
        slots[i + Long.numberOfTrailingZeros(dropped)] = slotCount;
      }
      i += take;
    }
  }

  /** The exclusive upper bound of this chunk's slots. */
  int slotCount() {
    return slotCount;
  }

  int groupOf(int slot) {
    if (combined && groupOfSlot[slot] < 0) {
      groupOfSlot[slot] = groupOfCombination(slot);
    }
    return groupOfSlot[slot];
  }

  private int groupOfCombination(int slot) {
    if (codes.length == 0) {
      return 0;
    }
    int[] split = new int[codes.length];
    int rest = slot;
    for (int i = codes.length - 1; i >= 0; i--) {
      int codeCount = columns.get(i).codeCount();
      split[i] = columns.get(i).numberOf(rest % codeCount);
      rest /= codeCount;
    }
    int number = split[0];
    for (int i = 1; i < split.length; i++) {
      number = tables[i - 1].number(number, split[i]);
    }
    return number;
  }

  /**
   * The exclusive upper bound of group numbers; with a single grouping column some groups may be
   * empty.
   */
  int groupCount() {
    return switch (codes.length) {
      case 0 -> 1;
      case 1 -> columns.get(0).valueCount();
      default -> tables[tables.length - 1].count();
    };
  }

  /** The memory of the values of all groups. */
  long bytes() {
    long bytes = (long) Integer.BYTES * 2 * stampOfGroup.length;
    for (GroupColumn column : columns) {
      bytes += column.bytes();
    }
    for (PairTable table : tables) {
      bytes += table.bytes();
    }
    return bytes;
  }

  /** The memory for a chunk: codes and slots of its rows. */
  long chunkBytes() {
    long bytes = (long) Integer.BYTES * (slots.length + groupOfSlot.length);
    for (GroupColumn column : columns) {
      bytes += column.chunkBytes();
    }
    return bytes;
  }

  /** The values of the grouping columns in the group; null for NULL. */
  byte[][] values(int group) {
    byte[][] values = new byte[codes.length][];
    int number = group;
    for (int i = codes.length - 1; i > 0; i--) {
      values[i] = columns.get(i).value(tables[i - 1].right(number));
      number = tables[i - 1].left(number);
    }
    if (values.length > 0) {
      values[0] = columns.get(0).value(number);
    }
    return values;
  }
}
