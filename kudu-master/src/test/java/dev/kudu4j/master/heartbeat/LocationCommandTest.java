package dev.kudu4j.master.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocationCommandTest {
  @TempDir Path directory;

  private LocationCommand command(String script) throws IOException {
    Path file = Files.writeString(directory.resolve("locate.sh"), script);
    return new LocationCommand("sh " + file, Runnable::run);
  }

  @Test
  void theCommandGetsTheHost() throws IOException {
    assertThat(command("echo /dc1/$1").locate("rack-7").join()).isEqualTo("/dc1/rack-7");
  }

  @Test
  void theHostIsOneArgumentAndNotInterpretedByAShell() throws IOException {
    Path touched = directory.resolve("touched");
    LocationCommand command =
        command(
            "for a; do echo \"$#:$a\" >> " + directory.resolve("arguments") + "; done; echo /x");
    for (String host :
        List.of(
            "a; touch " + touched,
            "$(touch " + touched + ")",
            "`touch " + touched + "`",
            "-rf",
            "a b",
            "a\nb",
            "")) {
      assertThatThrownBy(() -> command.locate(host).join()).hasMessageContaining("is no host");
    }
    assertThat(directory.resolve("arguments")).doesNotExist();
    command.locate("fe80::1%eth0").join();
    assertThat(directory.resolve("arguments")).hasContent("1:fe80::1%eth0");
    assertThat(touched).doesNotExist();
  }

  @Test
  void knownLocationsAreCached() throws IOException {
    LocationCommand command = command("echo /dc1");
    command.locate("a").join();
    Files.delete(directory.resolve("locate.sh"));
    assertThat(command.locate("a").join()).isEqualTo("/dc1");
  }

  @Test
  void anInvalidLocationIsAFailure() throws IOException {
    assertThatThrownBy(() -> command("echo dc1").locate("a").join())
        .hasMessageContaining("'dc1', which is not a location");
    assertThatThrownBy(() -> command("exit 3").locate("a").join())
        .hasMessageContaining("exit code 3");
  }
}
