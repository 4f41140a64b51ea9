# Part of the install script: what the program's --help and the changelog have to say, as man and Debian
# expect it.
function(install_gz file folder)
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
  file(INSTALL ${file}.gz DESTINATION ${CMAKE_INSTALL_PREFIX}/share/${folder})
endfunction()

if(CMAKE_INSTALL_COMPONENT STREQUAL "debian")
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${work}/changelog.Debian "normscope (${version}-${release}) ${codename}; urgency=medium

  * A package of version ${version}: changelog.gz says what is new in it.

 -- ${maintainer}  ${date}
")
  install_gz(${work}/changelog.Debian doc/normscope)
else()
  execute_process(COMMAND sh ${source}/app/packaging/man_page.sh ${program} ${version}
    OUTPUT_FILE ${work}/normscope.1 COMMAND_ERROR_IS_FATAL ANY)
  install_gz(${work}/normscope.1 man/man1)
  file(COPY_FILE ${source}/CHANGELOG.md ${work}/changelog)
  install_gz(${work}/changelog doc/normscope)
endif()
