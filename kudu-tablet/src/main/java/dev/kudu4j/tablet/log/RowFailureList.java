package dev.kudu4j.tablet.log;

import dev.kudu4j.common.status.StatusCode;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * The failed rows of a request in compact form. Consecutive rows with the same error form a run,
 * and each message is stored once. A million rows with the same error take a few bytes in total; a
 * million rows with alternating errors take a few bytes per row. A list of objects would take about
 * fifty bytes per row.
 *
 * <pre>
 *   run = rows since the end of the previous run | rows | kind (index in kinds)      each a varint
 * </pre>
 *
 * <p>Immutable. Intended for iteration: {@link #get} walks from the front each time.
 */
public final class RowFailureList extends AbstractList<RowFailure> {
  /** The code and the message of an error. */
  public record Kind(StatusCode code, String message) {
    /** An estimate of the heap size of this object and its message. */
    long bytes() {
      return 96 + 2L * message.length();
    }
  }

  public static final RowFailureList EMPTY = new RowFailureList(new byte[0], List.of(), 0);

  private final byte[] runs;
  private final List<Kind> kinds;
  private final int count;

  private RowFailureList(byte[] runs, List<Kind> kinds, int count) {
    this.runs = runs;
    this.kinds = kinds;
    this.count = count;
  }

  /** A compact list of the given errors; the argument itself if it is a RowFailureList. */
  public static RowFailureList of(List<RowFailure> errors) {
    return errors instanceof RowFailureList already ? already : builder().addAll(0, errors).build();
  }

  /** The same error for each of the first {@code rows} rows. */
  public static RowFailureList ofAll(int rows, StatusCode code, String message) {
    return builder().addRun(0, rows, code, message).build();
  }

  /**
   * Decodes {@link #runs} and {@link #kinds}.
   *
   * @throws IllegalArgumentException if a run is truncated, empty or of an unknown kind
   */
  public static RowFailureList ofRuns(byte[] runs, List<Kind> kinds) {
    RowFailureList unchecked = new RowFailureList(runs.clone(), List.copyOf(kinds), 0);
    Runs walk = unchecked.new Runs();
    long count = 0;
    while (walk.next()) {
      if (walk.length <= 0 || walk.kind < 0 || walk.kind >= kinds.size()) {
        throw new IllegalArgumentException("Bad run: " + walk.length + " rows, kind " + walk.kind);
      }
      count += walk.length;
    }
    return new RowFailureList(unchecked.runs, unchecked.kinds, Math.toIntExact(count));
  }

  public static Builder builder() {
    return new Builder();
  }

  /** A copy of the encoded runs. */
  public byte[] runs() {
    return runs.clone();
  }

  public List<Kind> kinds() {
    return kinds;
  }

  /** An estimate of the heap size. */
  public long bytes() {
    long bytes = runs.length;
    for (Kind kind : kinds) {
      bytes += kind.bytes();
    }
    return bytes;
  }

  /** The number of rows that failed with the code. */
  public int count(StatusCode code) {
    int found = 0;
    Runs walk = new Runs();
    while (walk.next()) {
      found += kinds.get(walk.kind).code == code ? walk.length : 0;
    }
    return found;
  }

  @Override
  public RowFailure get(int index) {
    Objects.checkIndex(index, count);
    Runs walk = new Runs();
    int before = 0;
    while (walk.next() && index - before >= walk.length) {
      before += walk.length;
    }
    return error(walk.start + index - before, walk.kind);
  }

  private RowFailure error(int row, int kind) {
    Kind found = kinds.get(kind);
    return new RowFailure(row, found.code, found.message);
  }

  @Override
  public int size() {
    return count;
  }

  /**
   * Compares with one iteration over each list, because the superclass would call {@link #get} for
   * each row.
   */
  @Override
  public boolean equals(Object other) {
    if (!(other instanceof List<?> list) || list.size() != count) {
      return false;
    }
    Iterator<?> theirs = list.iterator();
    for (RowFailure ours : this) {
      if (!ours.equals(theirs.next())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return super.hashCode(); // calls iterator(), not get()
  }

  @Override
  public Iterator<RowFailure> iterator() {
    return new Iterator<>() {
      private final Runs walk = new Runs();
      private int left;
      private int row;

      @Override
      public boolean hasNext() {
        return left > 0 || walk.hasNext();
      }

      @Override
      public RowFailure next() {
        if (left == 0) {
          if (!walk.next()) {
            throw new NoSuchElementException();
          }
          left = walk.length;
          row = walk.start;
        }
        left--;
        return error(row++, walk.kind);
      }
    };
  }

  /** Iterates over the runs. */
  private final class Runs {
    private int at;
    private int start;
    private int length;
    private int kind;

    boolean hasNext() {
      return at < runs.length;
    }

    boolean next() {
      if (!hasNext()) {
        return false;
      }
      start += length + varint();
      length = varint();
      kind = varint();
      return true;
    }

    private int varint() {
      int value = 0;
      for (int shift = 0; shift < Integer.SIZE; shift += 7) {
        if (at == runs.length) {
          throw new IllegalArgumentException("The last run is truncated");
        }
        byte b = runs[at++];
        value |= (b & 0x7f) << shift;
        if (b >= 0) {
          return value;
        }
      }
      throw new IllegalArgumentException("Number exceeds 32 bits");
    }
  }

  /** Collects errors in ascending order of rows. Not thread-safe. */
  public static final class Builder {
    private final Map<Kind, Integer> numbers = new HashMap<>();
    private final List<Kind> kinds = new ArrayList<>();
    private byte[] runs = new byte[16];
    private int length;
    private int count;
    private int end; // the end of the last written run

    // The current run, which may still grow.
    private int start;
    private int rows;
    private int kind;

    private Builder() {}

    public Builder add(int row, StatusCode code, String message) {
      return addRun(row, 1, code, message);
    }

    /** Adds errors and increases their row numbers by {@code firstRow}. */
    public Builder addAll(int firstRow, List<RowFailure> errors) {
      if (errors instanceof RowFailureList compact) {
        Runs walk = compact.new Runs();
        while (walk.next()) {
          Kind of = compact.kinds.get(walk.kind);
          addRun(firstRow + walk.start, walk.length, of.code, of.message);
        }
      } else {
        errors.forEach(error -> add(firstRow + error.row(), error.code(), error.message()));
      }
      return this;
    }

    private Builder addRun(int row, int rowCount, StatusCode code, String message) {
      if (rowCount == 0) {
        return this;
      }
      int number = number(code, message);
      if (rows == 0 || number != kind || row != start + rows) {
        endRun();
        start = row;
        kind = number;
      }
      assert row >= end : "Rows must be in ascending order";
      rows += rowCount;
      count += rowCount;
      return this;
    }

    private int number(StatusCode code, String message) {
      if (rows > 0) {
        Kind last = kinds.get(kind);
        if (last.code == code && last.message.equals(message)) {
          return kind;
        }
      }
      Kind wanted = new Kind(code, message);
      Integer known = numbers.putIfAbsent(wanted, kinds.size());
      if (known != null) {
        return known;
      }
      kinds.add(wanted);
      return kinds.size() - 1;
    }

    private void endRun() {
      if (rows == 0) {
        return;
      }
      varint(start - end);
      varint(rows);
      varint(kind);
      end = start + rows;
      rows = 0;
    }

    private void varint(int value) {
      if (runs.length - length < 5) {
        runs = Arrays.copyOf(runs, 2 * runs.length);
      }
      int rest = value;
      while ((rest & ~0x7f) != 0) {
        runs[length++] = (byte) (rest | 0x80);
        rest >>>= 7;
      }
      runs[length++] = (byte) rest;
    }

    public RowFailureList build() {
      if (count == 0) {
        return EMPTY;
      }
      endRun();
      return new RowFailureList(Arrays.copyOf(runs, length), List.copyOf(kinds), count);
    }
  }
}
