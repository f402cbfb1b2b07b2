package dev.kudu4j.tools.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.embedded.ClusterPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LocalClusterOptionsTest {
  @TempDir private Path directory;

  private ClusterShape shape(String... arguments) throws IOException {
    return options(arguments).shape();
  }

  private LocalClusterOptions options(String... arguments) {
    LocalClusterOptions options = new LocalClusterOptions();
    CommandLine line = new CommandLine(CommandLine.Model.CommandSpec.create());
    line.getCommandSpec()
        .addMixin("options", CommandLine.Model.CommandSpec.forAnnotatedObject(options));
    String[] all = new String[arguments.length + 1];
    all[0] = "--dir=" + directory;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    line.parseArgs(all);
    return options;
  }

  @Test
  void theFirstStartHasTheUsualPorts() throws IOException {
    assertThat(shape()).isEqualTo(new ClusterShape(1, 3, ClusterPorts.STANDARD, 0));
    assertThat(ClusterPorts.STANDARD.tabletServerRpc(2)).isEqualTo(7250);
    assertThat(ClusterPorts.STANDARD.tabletServerWeb(1)).isEqualTo(8150);
  }

  @Test
  void laterStartsReuseTheLastOptions() throws IOException {
    ClusterShape first = shape("--tservers=1", "--master-port=7999", "--tserver-web-port=9000");
    first.write(options().directory().shapeFile());
    assertThat(shape()).isEqualTo(first);
    assertThat(shape("--tservers=3").tabletServers()).isEqualTo(3);
    assertThat(shape("--tservers=3").ports()).isEqualTo(first.ports());
  }

  @Test
  void serversWithDataCannotBeOmitted() throws IOException {
    shape().write(options().directory().shapeFile());
    assertThatThrownBy(() -> shape("--tservers=1")).hasMessageContaining("cannot be lower");
  }

  @Test
  void invalidPortsAreRejected() {
    assertThatThrownBy(() -> shape("--master-port=0")).hasMessageContaining("--master-port 0");
    assertThatThrownBy(() -> shape("--tserver-port=65536")).hasMessageContaining("65535");
  }

  @Test
  void argumentsForAnotherProcessGiveTheSameShape() throws IOException {
    LocalClusterOptions options = options("--tservers=5", "--memory_limit_hard_bytes=1000000000");
    List<String> told = LocalClusterOptions.arguments(options.directory(), options.shape());
    assertThat(told.get(0)).isEqualTo("--dir=" + directory);
    String[] others = told.subList(1, told.size()).toArray(new String[0]);
    assertThat(shape(others)).isEqualTo(options.shape());
  }

  @Test
  void aCorruptFileIsReported() throws IOException {
    Path file = options().directory().shapeFile();
    Files.writeString(file, "tservers=many\n");
    assertThatThrownBy(this::shape)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("not a number");
  }
}
