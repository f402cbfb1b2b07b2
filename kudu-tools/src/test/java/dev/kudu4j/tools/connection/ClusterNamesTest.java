package dev.kudu4j.tools.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.KuduRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterNamesTest {
  @TempDir private Path directory;

  private ClusterNames names(String yaml) throws IOException {
    Files.writeString(directory.resolve("kudurc"), yaml);
    return new ClusterNames(directory.toString());
  }

  @Test
  void aNameStandsForItsMasters() throws IOException {
    ClusterNames names =
        names(
            """
            # what Apache Kudu's tool reads
            clusters_info:
              dev:
                master_addresses: a:7151,b
                owner: me
              prod:
                master_addresses: "c:7051"
            """);
    assertThat(names.masters("dev")).hasToString("a:7151,b:7051");
    assertThat(names.masters("prod")).hasToString("c:7051");
  }

  @Test
  void anUnknownNameIsRefusedWithASimilarOne() throws IOException {
    ClusterNames names =
        names("clusters_info: {staging: {master_addresses: a}, dev: {master_addresses: b}}");
    assertThatThrownBy(() -> names.masters("stagging"))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NOT_FOUND))
        .hasMessage(
            "There is no cluster 'stagging' in %s; did you mean 'staging'? it has dev, staging",
            directory.resolve("kudurc"));
  }

  @Test
  void aMissingVariableOrFileIsNamed() {
    assertThatThrownBy(() -> new ClusterNames(null).masters("dev"))
        .hasMessageStartingWith("@dev is the name of a cluster, but the environment variable KUDU");
    assertThatThrownBy(() -> new ClusterNames(directory.toString()).masters("dev"))
        .hasMessageContaining("there is no file " + directory.resolve("kudurc"))
        .hasMessageContaining("clusters_info");
  }

  @Test
  void aMalformedFileIsRefusedWithThePlace() throws IOException {
    for (List<String> bad :
        List.of(
            List.of("clusters_info:\n  dev: {master_addresses: a\n", "line 3: expected ',' or '}'"),
            List.of("clusters_info:\n\tdev: x\n", "line 2: "),
            List.of("", "there is no clusters_info"),
            List.of("clusters_info: dev", "there is no clusters_info"),
            List.of("clusters_info: {dev: {masters: a}}", "cluster dev has no master_addresses"),
            List.of("clusters_info: {dev: {master_addresses: [a, b]}}", "as a text"),
            List.of("clusters_info: {dev: {master_addresses: 'a:x'}}", "cluster dev: 'a:x' is no"),
            List.of(
                "clusters_info: {dev: {master_addresses: '@dev'}}", "'@dev' is not the address"),
            List.of("!!java.net.URL [http://a]", "line 1: "))) {
      ClusterNames names = names(bad.get(0));
      assertThatThrownBy(() -> names.masters("dev"))
          .as(bad.get(0))
          .isInstanceOf(KuduException.class)
          .hasMessageStartingWith(directory.resolve("kudurc") + ": ")
          .hasMessageContaining(bad.get(1));
    }
  }

  @Test
  void verbsAcceptClusterNames() {
    KuduRun run = KuduRun.of("table", "list", "@no-such-cluster");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).startsWith("kudu: ").contains("no-such-cluster").hasLineCount(1);
    assertThat(KuduRun.of("table", "describe", "@dev").err())
        .contains("TABLE is missing after the masters @dev");
  }
}
