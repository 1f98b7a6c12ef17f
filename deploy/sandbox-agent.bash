# bash completion for sandbox-agent. tests/integration/test_docs.py compares its words with `sandbox-agent --help`.

_sandbox_agent_words() { # WORD... that begin with what is typed
    local IFS=$' \t\n'
    mapfile -t COMPREPLY < <(compgen -W "$*" -- "$cur")
}

_sandbox_agent_files() { # the same for files, or with -d for directories; names may hold blanks
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "${1:--f}" -- "$cur")
}

_sandbox_agent_value() { # what follows the option $1; false: it takes no value
    case $1 in
        --language) _sandbox_agent_words python node bash go rust ;;
        --risk-level | --level) _sandbox_agent_words low medium high ;;
        --role) _sandbox_agent_words run read admin ;;
        --log-level) _sandbox_agent_words trace debug info warn error ;;
        --backend) _sandbox_agent_words native docker remote ;;
        --sort) _sandbox_agent_words age cpu memory processes network agent ;;
        --code | --profile | --config | --stdin | --python | --node | --output-file | --receipt | --witness | --key-file | --ca | --record-events | --file | --key | --generate | --writable | --read-only | --hide | --srt-settings) _sandbox_agent_files ;;
        --volume | --state | --output-dir | --project) _sandbox_agent_files -d ;;
        -c | --packages | --allow | --deny | --agent-id | --signature | --timeout | --memory | --cpu | --env) ;;
        --agent | --key-id | --ttl | --from | --metadata | --cwd | --by | --since | --until | --reason | --rule | --action | --execution | --limit | --public-key | --subject | --witness-key | --url | --log-key | --every | --first | -n | --before | --older-than | --name | --expires) ;; # the user's own words
        *) return 1 ;;
    esac
}

_sandbox_agent_run() {
    _sandbox_agent_words "$@" --language --code -c --risk-level --agent-id --signature --profile --timeout --memory --cpu --env --volume --packages --workdir --tty --stdin \
        --output-file --file --output-dir --receipt --backend --direct --config --network-learn --allow --deny --no-network --record-events --json --dry-run --log-level --debug --help --version
}

_sandbox_agent_profiles() { # words behind `profiles`
    case $1 in
        "") _sandbox_agent_words list show check ;;
        show) if [[ $cur == -* ]]; then _sandbox_agent_words --json --config; else
                  _sandbox_agent_files
                  local -a files=("${COMPREPLY[@]}")
                  _sandbox_agent_words low medium high
                  COMPREPLY+=("${files[@]}")
              fi ;;
        check) if [[ $cur == -* ]]; then _sandbox_agent_words --config; else _sandbox_agent_files; fi ;;
        *) _sandbox_agent_words --json --config ;;
    esac
}

_sandbox_agent_audit() { # words behind `audit`
    case $1 in
        "") _sandbox_agent_words tail search export verify checkpoint ;;
        tail) _sandbox_agent_words -f -n --json --config ;;
        search) _sandbox_agent_words --agent --since --until --reason --rule --action --execution --limit --no-index --json --config ;;
        export) _sandbox_agent_words --format --agent --since --until --action --config ;;
        verify) _sandbox_agent_words --file --public-key --first --witness --witness-key --json --config ;;
        checkpoint) _sandbox_agent_words --json --config ;;
    esac
}

_sandbox_agent_packages() { # words behind `packages`
    case $1 in
        "") _sandbox_agent_words create list show remove ;;
        create) _sandbox_agent_words --python --node --source --config --json ;;
        show) _sandbox_agent_words --lock --config --json ;;
        *) _sandbox_agent_words --config --json ;;
    esac
}

_sandbox_agent_session() { # words behind `session`
    case $1 in
        "") _sandbox_agent_words start list exec shell cp snapshot checkpoint undo pause resume end ;;
        start) _sandbox_agent_words --risk-level --agent-id --ttl --env --metadata --from --packages --json --url --key-file --ca ;;
        list) _sandbox_agent_words --state --metadata --json --url --key-file --ca ;;
        exec) _sandbox_agent_words -c --language --timeout --cwd --env --url --key-file --ca -- ;;
        shell) _sandbox_agent_words --timeout --cwd --env --url --key-file --ca -- ;;
        cp) if [[ $cur == -* ]]; then _sandbox_agent_words --url --key-file --ca; else _sandbox_agent_files; fi ;;
        snapshot | checkpoint | undo | pause | resume | end) _sandbox_agent_words --url --key-file --ca ;;
    esac
}

_sandbox_agent() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} i
    COMPREPLY=()
    # «--language=py» arrives as three words
    if [[ $cur == "=" ]]; then
        cur=
    elif [[ $prev == "=" ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then # a command of the sandbox, then its arguments
            if ((i == COMP_CWORD - 1)); then
                mapfile -t COMPREPLY < <(compgen -c -- "$cur")
            else
                _sandbox_agent_files
            fi
            return
        fi
    done
    _sandbox_agent_value "$prev" && return
    if ((COMP_CWORD == 1)); then
        _sandbox_agent_run run wrap hook doctor profiles config syscalls docs batch policy scan audit agents keys artifacts alerts usage receipt witness watch sign packages store fleet session mcp ps top
        return
    fi
    case $command in
        wrap) _sandbox_agent_run --project --writable --read-only --hide --review --srt-settings ;;
        hook) if ((COMP_CWORD == 2)); then _sandbox_agent_words claude-code; else _sandbox_agent_run --ask --project --writable --read-only --hide --review --srt-settings; fi ;;
        doctor) _sandbox_agent_words --json --help ;;
        profiles) _sandbox_agent_profiles "$( ((COMP_CWORD > 2)) && echo "${COMP_WORDS[2]}")" ;;
        audit) _sandbox_agent_audit "$( ((COMP_CWORD > 2)) && echo "${COMP_WORDS[2]}")" ;;
        artifacts) if ((COMP_CWORD == 2)); then _sandbox_agent_words list show sweep; else _sandbox_agent_words --before --older-than --json --config; fi ;;
        receipt) if ((COMP_CWORD == 2)); then _sandbox_agent_words verify; elif [[ $cur == -* ]]; then _sandbox_agent_words --public-key --subject --json --config; else _sandbox_agent_files; fi ;;
        witness) _sandbox_agent_words --url --log-key --state --key-file --ca --every ;;
        usage) _sandbox_agent_words --agent --key-id --since --until --by --format --config ;;
        store) if ((COMP_CWORD == 2)); then _sandbox_agent_words migrate copy check grant; else _sandbox_agent_words --config; fi ;;
        fleet) if ((COMP_CWORD == 2)); then _sandbox_agent_words status drain resume; else _sandbox_agent_words --json --config; fi ;;
        packages) _sandbox_agent_packages "$( ((COMP_CWORD > 2)) && echo "${COMP_WORDS[2]}")" ;;
        session) _sandbox_agent_session "$( ((COMP_CWORD > 2)) && echo "${COMP_WORDS[2]}")" ;;
        mcp) _sandbox_agent_words --url --key-file --ca --agent-id --config ;;
        ps) _sandbox_agent_words --json --sort --url --key-file --ca ;;
        top) _sandbox_agent_words --json --sort --url --key-file --ca --every ;;
        alerts) if ((COMP_CWORD == 2)); then _sandbox_agent_words test; else _sandbox_agent_words --config; fi ;;
        watch) if ((COMP_CWORD == 2)); then _sandbox_agent_words replay; elif [[ $cur == -* ]]; then _sandbox_agent_words --profile --risk-level --json --config; else _sandbox_agent_files; fi ;;
        sign) _sandbox_agent_words --generate --key --agent-id --code --json ;;
        config) if ((COMP_CWORD == 2)); then _sandbox_agent_words show; else _sandbox_agent_words --json --config; fi ;;
        docs) ((COMP_CWORD > 2)) || _sandbox_agent_words profiles configuration ;;
        syscalls) _sandbox_agent_words --tsv ;;
        scan) if [[ $cur == -* ]]; then _sandbox_agent_words --language --json --config --no-cache; else _sandbox_agent_files; fi ;;
        agents) if ((COMP_CWORD == 2)); then _sandbox_agent_words list show trust quarantine release ban key; else
                    _sandbox_agent_words --reason --why --json --config
                fi ;;
        keys) if ((COMP_CWORD == 2)); then _sandbox_agent_words create list revoke; else
                  _sandbox_agent_words --name --role --agent --level --expires --allow-risk-override --json --config
              fi ;;
        batch) if [[ $cur == -* ]]; then _sandbox_agent_words --jobs --config; else _sandbox_agent_files; fi ;;
        policy) if ((COMP_CWORD == 2)); then _sandbox_agent_words test suggest simulate; else _sandbox_agent_words --agent --config --profile --risk-level --audit --events --since --limit --json --exit-code --trace; fi ;;
        *) _sandbox_agent_run ;;
    esac
}

complete -F _sandbox_agent sandbox-agent
