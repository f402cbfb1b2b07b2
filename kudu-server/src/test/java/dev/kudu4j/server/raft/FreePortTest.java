package dev.kudu4j.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  /** This many processes have distinct ranges of ports. */
  private static final int NEIGHBOURHOODS = 750;

  /**
   * Searches in the range of this process, whose ports other tests may have used up; the process
   * ids after it search in unused ranges.
   */
  private static final long SELF = ProcessHandle.current().pid() + 10 * NEIGHBOURHOODS;

  private static int find(long pid) {
    try {
      return FreePort.find(LOOPBACK, new Random(), pid);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void noPortIsReturnedTwice() {
    Set<Integer> ports =
        IntStream.range(0, 200)
            .parallel()
            .map(i -> find(SELF + 100))
            .boxed()
            .collect(Collectors.toSet());
    assertThat(ports).hasSize(200).allMatch(port -> port >= 17_000 && port < 32_000);
  }

  @Test
  void consecutiveProcessesSearchDifferentRanges() {
    Set<Integer> neighbourhoods = new HashSet<>();
    for (long pid = SELF + 1; pid <= SELF + 50; pid++) {
      neighbourhoods.add((find(pid) - 17_000) / 20);
    }
    assertThat(neighbourhoods).hasSize(50);
  }

  @Test
  void theFirstProcessesOfContainersSearchRandomRanges() {
    Set<Integer> neighbourhoods = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      neighbourhoods.add((find(1) - 17_000) / 20);
    }
    assertThat(neighbourhoods).hasSizeGreaterThan(25);
  }

  @Test
  void aPortThatIsOpenIsNotFree() throws IOException {
    try (ServerSocket taken = new ServerSocket(find(SELF + 101), 1, LOOPBACK)) {
      Set<Integer> ports =
          IntStream.range(0, 30).map(i -> find(SELF + 101)).boxed().collect(Collectors.toSet());
      assertThat(ports).hasSize(30).doesNotContain(taken.getLocalPort());
    }
  }
}
