package dev.kudu4j.common.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests run with -ea, so each range is checked. */
final class MemoryTest {
  private static final int BYTES = 64;

  private final ByteBuf buffer = Unpooled.directBuffer(BYTES);
  private final long address = buffer.memoryAddress();

  @AfterEach
  void release() {
    buffer.release();
  }

  @Test
  void rangesOfAnAllocationPass() {
    Memory.fill(address, BYTES, (byte) 0);
    Memory.putLong(address + 8, 42);
    Memory.copy(address + 8, address + 16, Long.BYTES);
    assertThat(Memory.getLong(address + 16)).isEqualTo(42);
    assertThat(Memory.byteBuffer(address, BYTES).getLong(8)).isEqualTo(42);
    assertThat(Memory.compare(address + 8, 8, address + 16, 8)).isZero();
  }

  @Test
  void emptyRangesNeedNoAddress() {
    assertThatCode(() -> Memory.copy(0, 0, 0)).doesNotThrowAnyException();
    assertThat(Memory.compare(0, 0, 0, 0)).isZero();
    assertThat(Memory.byteBuffer(0, 0).remaining()).isZero();
  }

  @Test
  void nullAddressFails() {
    assertNoRange(() -> Memory.getByte(0));
    assertNoRange(() -> Memory.getLong(4096)); // null plus an offset
    assertNoRange(() -> Memory.putInt(0, 1));
    assertNoRange(() -> Memory.fill(0, 1, (byte) 0));
    assertNoRange(() -> Memory.copy(address, 0, 1));
    assertNoRange(() -> Memory.copy(0, address, 1));
    assertNoRange(() -> Memory.copy(0, new byte[8], 0, 8));
    assertNoRange(() -> Memory.compare(address, 8, 0, 8));
    assertNoRange(() -> Memory.byteBuffer(0, 1));
  }

  @Test
  void negativeAddressFails() {
    assertNoRange(() -> Memory.getInt(-address));
    assertNoRange(() -> Memory.putLong(-8, 1));
  }

  @Test
  void negativeLengthFails() {
    assertNoRange(() -> Memory.copy(address, address + 8, -1));
    assertNoRange(() -> Memory.fill(address, -1, (byte) 0));
    assertNoRange(() -> Memory.byteBuffer(address, -1));
    assertNoRange(() -> Memory.compare(address, -1, address, 8));
  }

  @Test
  void overflowingRangeFails() {
    assertNoRange(() -> Memory.getLong(Long.MAX_VALUE - 4));
    assertNoRange(() -> Memory.fill(address, Long.MAX_VALUE, (byte) 0));
  }

  @Test
  void misalignedVolatileAccessFails() {
    long aligned = (address + 7) & -8;
    Memory.putLongRelease(aligned, 7);
    assertThat(Memory.getLongVolatile(aligned)).isEqualTo(7);
    assertThatThrownBy(() -> Memory.getLongVolatile(aligned + 4))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("not a multiple of 8");
    assertThatThrownBy(() -> Memory.putIntRelease(aligned + 2, 1))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("not a multiple of 4");
  }

  @Test
  void sliceOutsideItsArrayFails() {
    assertNoSlice(() -> Memory.copy(new byte[8], 4, address, 5));
    assertNoSlice(() -> Memory.copy(new byte[8], Integer.MAX_VALUE, address, 8));
    assertNoSlice(() -> Memory.copy(address, new long[2], -1, 1));
    assertNoSlice(() -> Memory.compare(address, 8, new byte[4], 0, 5));
  }

  private static void assertNoRange(ThrowingCallable access) {
    assertThatThrownBy(access)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("Not a range of memory");
  }

  private static void assertNoSlice(ThrowingCallable access) {
    assertThatThrownBy(access)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("Not a slice of an array");
  }
}
