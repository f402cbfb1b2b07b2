package dev.kudu4j.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.apache.ratis.thirdparty.com.google.protobuf.StringValue;
import org.junit.jupiter.api.Test;

class FrameTest {
  @Test
  void frameIsLengthKindCallAndBody() throws Exception {
    Frame frame = Frame.answer(MessageKind.VOTE, 7, StringValue.of("yes"));
    ByteBuf out = Unpooled.buffer();
    frame.writeTo(out);
    assertThat(out.readableBytes()).isEqualTo(frame.bytes());
    assertThat(out.readInt()).isEqualTo(out.readableBytes());
    assertThat(out.readUnsignedByte()).isEqualTo((short) (0x80 | 4));
    assertThat(out.readLong()).isEqualTo(7);
    assertThat(StringValue.parseFrom(Frame.body(out)).getValue()).isEqualTo("yes");
  }

  @Test
  void kindsAreKnownByTheirNumbers() {
    for (MessageKind kind : MessageKind.values()) {
      assertThat(MessageKind.of(kind.code())).isEqualTo(kind);
    }
    assertThat(MessageKind.of(0)).isNull();
    assertThat(MessageKind.of(10)).isNull();
    assertThat(MessageKind.of(255)).isNull();
  }

  @Test
  void helloIsParsedAsWritten() {
    Hello hello = new Hello(Purpose.CONTROL, "aa", "bb", "");
    assertThat(Hello.parse(hello.text())).isEqualTo(hello);
    Hello withNonce = hello.withNonce(Handshake.nonce());
    assertThat(Hello.parse(withNonce.text())).isEqualTo(withNonce);
    assertThat(Hello.parse(withNonce.text() + "0")).isNull();
    assertThat(Hello.parse("K4RAFT02 DATA aa bb")).isNull();
    assertThat(Hello.parse("K4RAFT01 TEA aa bb")).isNull();
    assertThat(Hello.parse("K4RAFT01 DATA aa")).isNull();
    assertThat(Hello.parse("K4RAFT01 DATA a\na bb")).isNull();
    assertThat(Hello.parse("K4RAFT01 DATA " + "a".repeat(65) + " bb")).isNull();
    assertThat(Hello.parse("K4RAFT01 DATA  bb")).isNull();
    assertThat(Hello.parse("")).isNull();
  }
}
