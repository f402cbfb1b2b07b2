package dev.kudu4j.tablet.cfile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.cfile.ColumnCells.Nulls;
import dev.kudu4j.tablet.cfile.ColumnCells.Shape;
import dev.kudu4j.tablet.memory.Allocators;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/**
 * The contract of all encodings: all rows, ranges and single rows are read back. Corrupt bytes are
 * rejected or read as other cells. Bytes outside the page have no effect.
 */
class PageEncodingContractTest {
  @Provide
  Arbitrary<PageEncoding> encodings() {
    return Arbitraries.of(PageEncodings.ALL);
  }

  @Test
  void encodingNumbersNeverChange() {
    for (int i = 0; i < PageEncodings.ALL.size(); i++) {
      assertThat(PageEncodings.ALL.get(i).number()).isEqualTo(i + 1);
    }
    assertThat(PageEncodings.ALL.subList(0, 9))
        .extracting(PageEncoding::name)
        .containsExactly(
            "plain",
            "run length",
            "dictionary",
            "frame of reference",
            "bit shuffle",
            "prefix",
            "delta",
            "symbol table",
            "scaled decimal");
  }

  @Property(tries = 1000)
  void everyRangeAndEveryRowReadBack(
      @ForAll("encodings") PageEncoding encoding,
      @ForAll DataType type,
      @ForAll Shape shape,
      @ForAll @IntRange(min = 1, max = 400) int rows,
      @ForAll int seed) {
    Random random = new Random(seed);
    List<byte[]> cells = ColumnCells.make(type, shape, Nulls.NONE, rows, random);
    byte[] other = ColumnCells.make(type, shape, Nulls.NONE, 1, random).get(0);
    withPage(
        encoding,
        type,
        cells,
        page -> {
          checkReads(page, cells, random);
          page.checkFilter(new CellIs(cells.get(random.nextInt(rows))), cells, random);
          page.checkFilter(new CellIs(other), cells, random);
        });
  }

  /** Pages of many rows are stored in lanes. */
  @Property(tries = 60)
  void pagesOfManyRowsReadBack(
      @ForAll("encodings") PageEncoding encoding,
      @ForAll DataType type,
      @ForAll Shape shape,
      @ForAll @IntRange(min = 2048, max = 9000) int rows,
      @ForAll int seed) {
    Random random = new Random(seed);
    List<byte[]> cells = ColumnCells.make(type, shape, Nulls.NONE, rows, random);
    withPage(encoding, type, cells, page -> checkReads(page, cells, random));
  }

  /** Strings of equal length, and strings of up to 8, 16 or 32 bytes, have special code. */
  @Property(tries = 300)
  void textsOfAnyLengthsReadBack(
      @ForAll("encodings") PageEncoding encoding,
      @ForAll @IntRange(max = 40) int shortest,
      @ForAll @IntRange(max = 20) int spread,
      @ForAll @IntRange(min = 1, max = 40) int distinct,
      @ForAll @IntRange(min = 1, max = 3000) int rows,
      @ForAll int seed) {
    Random random = new Random(seed);
    List<byte[]> texts = new ArrayList<>();
    for (int i = 0; i < distinct; i++) {
      byte[] text = new byte[shortest + random.nextInt(spread + 1)];
      random.nextBytes(text);
      texts.add(text);
    }
    List<byte[]> cells = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      cells.add(texts.get(random.nextInt(distinct)));
    }
    withPage(encoding, DataType.BINARY, cells, page -> checkReads(page, cells, random));
  }

  private static void checkReads(Page page, List<byte[]> cells, Random random) {
    int rows = cells.size();
    assertSame(page.read(0, rows), cells);
    page.checkEncodedWork(cells, 0, rows, random);
    for (int i = 0; i < 8; i++) {
      int first = random.nextInt(rows);
      int count = 1 + random.nextInt(rows - first);
      assertSame(page.read(first, count), cells.subList(first, first + count));
      page.checkEncodedWork(cells, first, count, random);
    }
    for (int row = 0; row < rows; row += 1 + random.nextInt(1 + rows / 20)) {
      assertSame(page.read(row, 1), cells.subList(row, row + 1));
    }
  }

  @Property(tries = 1500)
  void corruptBytesAreRejectedOrReadAsOtherCells(
      @ForAll("encodings") PageEncoding encoding,
      @ForAll DataType type,
      @ForAll Shape shape,
      @ForAll @IntRange(min = 1, max = 200) int rows,
      @ForAll int seed) {
    Random random = new Random(seed);
    List<byte[]> cells = ColumnCells.make(type, shape, Nulls.NONE, rows, random);
    withPage(
        encoding,
        type,
        cells,
        page -> {
          int headerBytes = Math.min(page.bytes(), 64);
          for (int at = 0; at < headerBytes; at++) {
            page.checkFlipped(at, 1 << random.nextInt(8), rows, random);
          }
          for (int i = 0; i < 40; i++) {
            int flip = 1 + random.nextInt(255);
            page.checkFlipped(random.nextInt(page.bytes()), flip, rows, random);
          }
          page.checkCut(rows, random);
        });
  }

  private static void assertSame(List<byte[]> found, List<byte[]> expected) {
    assertThat(found).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      if (!Arrays.equals(found.get(i), expected.get(i))) {
        assertThat(found.get(i)).as("row %d", i).isEqualTo(expected.get(i));
      }
    }
  }

  /** Equality with a cell, like a predicate on text. */
  private static final class CellIs implements CellFilter {
    private final byte[] wanted;

    CellIs(byte[] wanted) {
      this.wanted = wanted;
    }

    @Override
    public void evaluate(ColumnVector cells, int rowCount, long[] mask) {
      List<byte[]> found = ColumnCells.of(cells);
      for (int row = 0; row < rowCount; row++) {
        if (!Arrays.equals(found.get(row), wanted)) {
          mask[row >>> 6] &= ~(1L << row);
        }
      }
    }

    @Override
    public byte[] onlyCell() {
      return wanted;
    }
  }

  /** Does nothing if the encoding does not support the type or the cells. */
  private static void withPage(
      PageEncoding encoding, DataType type, List<byte[]> cells, Consumer<Page> check) {
    if (!encoding.fits(type)) {
      return;
    }
    try (BufferAllocator allocator = Allocators.root(1 << 26);
        ColumnVector vector = new ColumnVector(allocator, type, false);
        PageBuilder out = new PageBuilder(allocator)) {
      ColumnCells.append(cells, 0, cells.size(), vector);
      if (encoding.encode(vector, out, 1 << 30)) {
        try (Page page = new Page(encoding, type, out, cells.size(), allocator)) {
          check.accept(page);
        }
      }
    }
  }

  /** A page between foreign bytes. */
  private static final class Page implements AutoCloseable {
    private static final int SURROUNDINGS = 256;

    private final DataType type;
    private final int rows;
    private final int bytes;
    private final BufferAllocator allocator;
    private final ArrowBuf memory;
    private final long address;
    private final PageDecoder decoder;

    Page(
        PageEncoding encoding,
        DataType type,
        PageBuilder out,
        int rows,
        BufferAllocator allocator) {
      this.type = type;
      this.rows = rows;
      this.bytes = out.bytes();
      this.allocator = allocator;
      memory = allocator.buffer(bytes + 2L * SURROUNDINGS);
      address = memory.memoryAddress() + SURROUNDINGS;
      Memory.copy(out.address(), address, bytes);
      decoder = encoding.decoder(type);
      surround((byte) 0);
      assertThat(decoder.open(address, bytes, rows)).isNull();
    }

    int bytes() {
      return bytes;
    }

    private void surround(byte value) {
      Memory.fill(memory.memoryAddress(), SURROUNDINGS, value);
      Memory.fill(address + bytes, SURROUNDINGS, value);
    }

    List<byte[]> read(int first, int count) {
      try (ColumnVector out = new ColumnVector(allocator, type, false)) {
        assertThat(decoder.read(first, count, out)).isNull();
        return ColumnCells.of(out);
      }
    }

    /** Checks filters, numbers and codes against the cells. */
    void checkEncodedWork(List<byte[]> cells, int first, int count, Random random) {
      byte[] one = cells.get(random.nextInt(cells.size()));
      byte[] other = cells.get(random.nextInt(cells.size()));
      RangeFilter test = new RangeFilter(type, one, other);
      long[] wanted = new long[(count + 63) >>> 6];
      Arrays.setAll(wanted, i -> random.nextInt(4) == 0 ? 0 : random.nextLong() | 1);
      wanted[wanted.length - 1] &= -1L >>> -count;
      long[] expected = wanted.clone();
      for (int i = 0; i < count; i++) {
        if (!test.matches(cells.get(first + i))) {
          expected[i >>> 6] &= ~(1L << i);
        }
      }
      try (ColumnVector scratch = new ColumnVector(allocator, type, false)) {
        if (decoder.filter(first, count, test, wanted, scratch)) {
          assertThat(wanted).isEqualTo(expected);
        }
      }
      if (type.isNumber()) {
        checkNumbers(cells, first, count);
        checkSum(cells, first, count, random.nextBoolean() ? test : null);
      }
      if (decoder.codeCount() > 0) {
        checkCodes(cells, first, count);
      }
    }

    /** Checks a sum against the cells; sums of floating-point numbers may differ by rounding. */
    private void checkSum(List<byte[]> cells, int first, int count, RangeFilter test) {
      int[] matching =
          IntStream.range(0, count)
              .filter(i -> test == null || test.matches(cells.get(first + i)))
              .toArray();
      NumberVector numbers = numbers(cells, first, count);
      CellSum sum = new CellSum();
      try (ColumnVector scratch = new ColumnVector(allocator, type, false)) {
        if (!decoder.sum(first, count, test, sum, scratch)) {
          assertThat(sum.rows()).isZero();
          return;
        }
      }
      assertThat(sum.rows()).isEqualTo(matching.length);
      if (type.isFloating()) {
        double plain = Arrays.stream(matching).mapToDouble(i -> numbers.doubles()[i]).sum();
        double size =
            Arrays.stream(matching).mapToDouble(i -> numbers.doubles()[i]).map(Math::abs).sum();
        boolean same = Double.compare(sum.floating(), plain) == 0 || !Double.isFinite(size);
        assertThat(same || Math.abs(sum.floating() - plain) <= 1e-9 * size).isTrue();
      } else {
        BigInteger plain = BigInteger.ZERO;
        for (int i : matching) {
          plain = plain.add(BigInteger.valueOf(numbers.number(i)));
        }
        assertThat(sum.exact()).isEqualTo(plain);
      }
    }

    private NumberVector numbers(List<byte[]> cells, int first, int count) {
      NumberVector numbers = new NumberVector(count);
      numbers.clear(kind());
      try (ColumnVector vector = new ColumnVector(allocator, type, false)) {
        ColumnCells.append(cells, first, count, vector);
        numbers.append(vector, 0, count);
      }
      return numbers;
    }

    private void checkNumbers(List<byte[]> cells, int first, int count) {
      NumberVector expected = numbers(cells, first, count);
      NumberVector found = new NumberVector(count);
      found.clear(kind());
      if (decoder.readNumbers(first, count, found)) {
        assertThat(numbers(found)).isEqualTo(numbers(expected));
      }
      int[] picks = IntStream.range(0, count).filter(i -> i % 3 == count % 3).toArray();
      found.clear(kind());
      if (picks.length > 0 && decoder.pickNumbers(first, picks, 0, picks.length, found)) {
        expected.pick(picks, picks.length);
        assertThat(numbers(found)).isEqualTo(numbers(expected));
      }
    }

    private NumberVector.Kind kind() {
      return type.isFloating() ? NumberVector.Kind.DOUBLES : NumberVector.Kind.INTS;
    }

    private static long[] numbers(NumberVector numbers) {
      return IntStream.range(0, numbers.count())
          .mapToLong(
              i ->
                  numbers.kind() == NumberVector.Kind.DOUBLES
                      ? Double.doubleToRawLongBits(numbers.doubles()[i])
                      : numbers.number(i))
          .toArray();
    }

    private void checkCodes(List<byte[]> cells, int first, int count) {
      int[] codes = new int[count];
      decoder.readCodes(first, count, codes, 0);
      try (ColumnVector entries = new ColumnVector(allocator, type, false)) {
        decoder.readEntries(entries);
        List<byte[]> cellOfCode = ColumnCells.of(entries);
        assertThat(cellOfCode).hasSize(decoder.codeCount());
        assertSame(
            Arrays.stream(codes).mapToObj(cellOfCode::get).toList(),
            cells.subList(first, first + count));
      }
    }

    /** Checks that filtering without decoding finds the same cells. */
    void checkFilter(CellIs test, List<byte[]> cells, Random random) {
      int first = random.nextInt(rows);
      int count = 1 + random.nextInt(rows - first);
      long[] mask = someOf(count, random);
      long[] before = mask.clone();
      try (ColumnVector scratch = new ColumnVector(allocator, type, false)) {
        if (!decoder.filter(first, count, test, mask, scratch)) {
          return;
        }
      }
      for (int row = 0; row < count; row++) {
        boolean wanted = (before[row >>> 6] & 1L << row) != 0;
        boolean left = (mask[row >>> 6] & 1L << row) != 0;
        boolean matches = Arrays.equals(cells.get(first + row), test.wanted);
        assertThat(left).as("row %d", first + row).isEqualTo(wanted && matches);
      }
    }

    private static long[] someOf(int count, Random random) {
      long[] mask = new long[(count + 63) >>> 6];
      for (int row = 0; row < count; row++) {
        mask[row >>> 6] |= random.nextInt(5) > 0 ? 1L << row : 0;
      }
      return mask;
    }

    void checkFlipped(int at, int flip, int rows, Random random) {
      byte right = Memory.getByte(address + at);
      Memory.putByte(address + at, (byte) (right ^ flip));
      int first = random.nextInt(rows);
      int count = 1 + random.nextInt(rows - first);
      checkOutcome(bytes, 0, rows);
      checkOutcome(bytes, first, count);
      checkOutcome(bytes, first, 1);
      checkFilterOutcome(first, count, random);
      Memory.putByte(address + at, right);
    }

    void checkCut(int rows, Random random) {
      for (int i = 0; i < 5; i++) {
        checkOutcome(random.nextInt(bytes), 0, rows);
      }
    }

    /** Checks that the outcome does not depend on the bytes around the page. */
    private void checkOutcome(int bytes, int first, int count) {
      surround((byte) 0);
      List<byte[]> left = outcome(bytes, first, count);
      surround((byte) 0x91);
      List<byte[]> right = outcome(bytes, first, count);
      if (left == null || right == null) {
        assertThat(left).isEqualTo(right);
      } else {
        assertSame(left, right);
      }
    }

    private void checkFilterOutcome(int first, int count, Random random) {
      CellIs test = new CellIs(ColumnCells.make(type, Shape.WORDS, Nulls.NONE, 1, random).get(0));
      long[] mask = someOf(count, random);
      surround((byte) 0);
      long[] left = filterOutcome(first, count, test, mask.clone());
      surround((byte) 0x91);
      assertThat(filterOutcome(first, count, test, mask.clone())).isEqualTo(left);
    }

    private long[] filterOutcome(int first, int count, CellIs test, long[] mask) {
      if (decoder.open(address, bytes, rows) != null) {
        return null;
      }
      try (ColumnVector scratch = new ColumnVector(allocator, type, false)) {
        return decoder.filter(first, count, test, mask, scratch) ? mask : null;
      }
    }

    /** The cells; null if the page was rejected. */
    private List<byte[]> outcome(int bytes, int first, int count) {
      if (decoder.open(address, bytes, rows) != null) {
        return null;
      }
      try (ColumnVector out = new ColumnVector(allocator, type, false)) {
        if (decoder.read(first, count, out) != null) {
          return null;
        }
        List<byte[]> outcome = ColumnCells.of(out);
        addEncodedWork(first, count, outcome);
        return outcome;
      }
    }

    /**
     * Filters, numbers and codes may return anything for a corrupt page, but only its own bytes.
     */
    private void addEncodedWork(int first, int count, List<byte[]> outcome) {
      long[] wanted = new long[(count + 63) >>> 6];
      Arrays.fill(wanted, -1L);
      wanted[wanted.length - 1] &= -1L >>> -count;
      try (ColumnVector scratch = new ColumnVector(allocator, type, false)) {
        byte[] zero = new byte[type.isVariableLength() ? 3 : type.width()];
        RangeFilter test = new RangeFilter(type, zero, outcome.get(0));
        decoder.filter(first, count, test, wanted, scratch);
        scratch.clear();
        CellSum sum = new CellSum();
        boolean told = type.isNumber() && decoder.sum(first, count, test, sum, scratch);
        outcome.add((told + " " + sum.rows() + " " + sum.exact()).getBytes(UTF_8));
      }
      outcome.add(Arrays.toString(wanted).getBytes(UTF_8));
      if (type.isNumber()) {
        NumberVector found = new NumberVector(count);
        found.clear(kind());
        if (decoder.readNumbers(first, count, found)) {
          outcome.add(Arrays.toString(numbers(found)).getBytes(UTF_8));
        }
      }
      if (decoder.codeCount() > 0) {
        int[] codes = new int[count];
        decoder.readCodes(first, count, codes, 0);
        assertThat(Arrays.stream(codes)).allMatch(code -> code < decoder.codeCount());
      }
    }

    @Override
    public void close() {
      decoder.close();
      memory.close();
    }
  }
}
