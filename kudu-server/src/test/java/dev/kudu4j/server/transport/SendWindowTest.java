package dev.kudu4j.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SendWindowTest {
  private final SendWindow window = new SendWindow(100);
  private final List<String> woken = new ArrayList<>();

  @Test
  void waitersAreWokenInOrderWhenTheWindowIsHalfEmpty() {
    Runnable first = () -> woken.add("first");
    Runnable second = () -> woken.add("second");
    assertThat(window.hasRoom(first)).isTrue();
    window.take(60);
    window.take(60); // the last one may go over the limit
    assertThat(window.hasRoom(first)).isFalse();
    assertThat(window.hasRoom(second)).isFalse();
    assertThat(window.hasRoom(first)).isFalse();
    window.give(60);
    assertThat(woken).isEmpty();
    window.give(20);
    assertThat(woken).containsExactly("first", "second");
    window.give(40);
    assertThat(woken).hasSize(2);
    assertThat(window.bytes()).isZero();
  }
}
