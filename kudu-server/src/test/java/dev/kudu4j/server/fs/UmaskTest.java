package dev.kudu4j.server.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UmaskTest {
  @TempDir private Path root;

  @ParameterizedTest
  @CsvSource({"077, rwx------", "027, rwxr-x---", "0007, rwxrwx---", "0, rwxrwxrwx"})
  void directoriesGetThePermissionsOfTheMask(String mask, String expected) {
    assertThat(PosixFilePermissions.toString(Umask.parse(mask).directoryPermissions()))
        .isEqualTo(expected);
  }

  @Test
  void newDirectoriesAreCreatedAndExistingOnesRestricted() throws Exception {
    Path older = Files.createDirectory(root.resolve("older"));
    Files.setPosixFilePermissions(older, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path fresh = root.resolve("parent").resolve("fresh");
    Umask.parse("077").protect(List.of(older, fresh));
    for (Path directory : List.of(older, fresh, fresh.getParent())) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void aMaskNeverExtendsExistingPermissions() throws Exception {
    Path strict = Files.createDirectory(root.resolve("strict"));
    Files.setPosixFilePermissions(strict, PosixFilePermissions.fromString("rwx------"));
    Umask.parse("000").protect(List.of(strict));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(strict)))
        .isEqualTo("rwx------");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "8", "77777", "u=rwx", "700", "0100", "1000"})
  void anInvalidMaskIsRejected(String text) {
    assertThatThrownBy(() -> Umask.parse(text))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("--umask");
  }
}
