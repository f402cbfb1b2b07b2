package dev.kudu4j.tools.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock belongs to a process; in these tests another process holds it. */
class ClusterLockTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("lock");
  }

  /** Holds the lock until its input ends. */
  static final class Holder {
    private Holder() {}

    @SuppressWarnings("try") // held, not used
    public static void main(String[] arguments) throws IOException {
      try (ClusterLock lock = ClusterLock.take(Path.of(arguments[0]))) {
        System.out.println("holding");
        while (System.in.read() >= 0) {}
      }
    }
  }

  private Process startHolder() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.inputReader().readLine()).startsWith("holding");
    return process;
  }

  @Test
  void onlyTheHolderIsFound() throws Exception {
    assertThat(ClusterLock.holder(file)).isEmpty();
    Process process = startHolder();
    try {
      assertThat(ClusterLock.holder(file)).map(ProcessHandle::pid).contains(process.pid());
      assertThatThrownBy(() -> ClusterLock.take(file))
          .hasMessageContaining("running in " + directory);
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(ClusterLock.isHeld(file)).isFalse();
    assertThat(ClusterLock.holder(file)).isEmpty();
  }

  @Test
  void aReusedPidIsNotTheHolder() throws Exception {
    Process process = startHolder();
    try {
      long self = ProcessHandle.current().pid();
      Files.writeString(file, self + " 12345\n"); // alive, but with another start time
      assertThat(ClusterLock.isHeld(file)).isTrue();
      assertThat(ClusterLock.holder(file)).isEmpty();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
