package dev.kudu4j.server.raft.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.ratis.util.PureJavaCrc32C;

class LogChecksumTest {
  @Property(tries = 300)
  void equalsTheChecksumOfRatis(@ForAll byte[] before, @ForAll byte[] bytes) {
    PureJavaCrc32C expected = new PureJavaCrc32C();
    LogChecksum checksum = new LogChecksum();
    checksum.update(before, 0, before.length);
    checksum.reset();
    expected.update(bytes, 0, bytes.length);
    checksum.update(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
    assertThat(checksum.getValue()).isEqualTo(expected.getValue());
    expected.update(before, 0, before.length);
    checksum.update(before, 0, before.length);
    assertThat(checksum.getValue()).isEqualTo(expected.getValue());
  }
}
